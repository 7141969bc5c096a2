"""Start games by mail: list the open tables, sit down at one, leave it, open one as the page does.

All but the list is asked back with the terms first.
"""

import re
from collections.abc import Sequence

from django.utils import translation
from django.utils.translation import gettext as _

from accounts.models import Language, User
from games import errors
from games.clock.durations import pace_in_words, span_in_words
from games.clock.time_control import TimeControl, per_turn
from games.forms.terms import DAY, PER_TURN
from games.models import Game, Terms
from games.queries.lists import lobby
from games.queries.seats import may_see_as_player, opponents_of
from games.rules.base import AnyRules
from games.rules.registry import all_rules
from games.services import invitations, tables
from games.services.invitations import Opponent
from games.services.levels import level_with, levels_of
from games.templatetags.boards import options_of
from notifications import errors as mail_errors
from notifications.emails.formatting import plain
from notifications.mail_commands.context import (
    CommandContext,
    CommandResult,
    handles,
)
from notifications.mail_commands.questions import ASKS, order_question, try_out
from notifications.mail_commands.shown_games import result_with_board
from notifications.mail_parser import (
    JoinCommand,
    LeaveCommand,
    NewCommand,
    TablesCommand,
)
from notifications.mail_parser.phrases import fold

MOST_LISTED = 100

_TIME = re.compile(
    r"(\d{1,3}) ?(?:(?:d|days?|j|jours?)|(?P<weeks>w|weeks?|semaines?))"
    r"(?: (?:a|per|each|for each|par|pour chaque) (?:turn|move|coup|tour))?"
)
_ANYBODY = frozenset({"anybody", "anyone", "quiconque"})
_NOT = re.compile(r"(?:no|not|do not|without|non|sans|pas de|pas|ne pas) (.+)")


@handles(TablesCommand, only_reads=True)
def handle_tables(command: TablesCommand, context: CommandContext) -> CommandResult:
    """Send the open tables at which the user could sit down, a line each."""
    user = context.require_user()
    listing = "\n".join(
        f"{game.pk} – {describe_table(game, user)}" for game in lobby(user)[:MOST_LISTED]
    )
    if listing:
        here = _("These tables wait for players. Reply with “join” and a number to sit down.")
    else:
        here = _("Nobody is waiting at the moment. Open a table, and somebody may come.")
    return CommandResult(True, (here,), listing=listing, title=_("Tables waiting for players"))


def describe_table(game: Game, user: User) -> str:
    """Return the game, its options, who sits there already, and the time, on one line."""
    options = ", ".join(f"{label}: {value}" for label, value in options_of(game))
    what = _(game.rules.name) + (f" ({options})" if options else "")
    names = ", ".join(plain(opponent) for opponent in opponents_of(game, user))
    parts = [what, *([_("with %(names)s") % {"names": names}] if names else [])]
    rated = _("rated") if game.is_rated else _("unrated")
    return " – ".join([*parts, pace_in_words(game.terms.pace), rated])


@handles(JoinCommand)
def handle_join(command: JoinCommand, context: CommandContext) -> CommandResult:
    """Sit down at an open table. Raises NoSuchGame for a table that the user may not see."""
    user = context.require_user()
    table = Game.objects.filter(pk=command.number).first()
    if table is None or not may_see_as_player(table, user):
        raise errors.NoSuchGame
    game = tables.join_table(game_id=command.number, user=user, now=context.now)
    said = _("You have sat down at table %(number)s.") % {"number": game.pk}
    return result_with_board(game, user, said)


def ask_to_join(command: JoinCommand, context: CommandContext) -> CommandResult:
    """Return the question with the table's terms. Raises what sitting down raises."""
    user = context.require_user()
    try_out(command, context, lambda result: None)
    game = Game.objects.with_players().get(pk=command.number)
    would = _("You would sit down at table %(number)s: %(terms)s.") % {
        "number": game.pk,
        "terms": describe_table(game, user),
    }
    return order_question(f"join {game.pk}", context, would)


ASKS[JoinCommand] = ask_to_join


@handles(LeaveCommand)
def handle_leave(command: LeaveCommand, context: CommandContext) -> CommandResult:
    """Leave an open table; who opened it cancels it. Raises LeaveWhich, NoSuchGame, ResignInstead.

    Also raises what leaving and cancelling raise.
    """
    user, table = context.require_user(), _table_meant(command, context)
    if table.creator_id == user.pk:
        tables.withdraw_table(game_id=table.pk, user=user, now=context.now)
        said = _("Table %(number)s is cancelled.")
    else:
        tables.leave_table(game_id=table.pk, user=user, now=context.now)
        said = _("You have left table %(number)s.")
    return CommandResult(True, (said % {"number": table.pk},))


def ask_to_leave(command: LeaveCommand, context: CommandContext) -> CommandResult:
    """Return the question with the table's terms. Raises what leaving raises."""
    user, table = context.require_user(), _table_meant(command, context)
    try_out(command, context, lambda result: None)
    if table.creator_id == user.pk:
        would = _("You would cancel table %(number)s: %(terms)s. Nobody could join it any more.")
    else:
        would = _("You would leave table %(number)s: %(terms)s.")
    values = {"number": table.pk, "terms": describe_table(table, user)}
    return order_question(f"leave {table.pk}", context, would % values)


def _table_meant(command: LeaveCommand, context: CommandContext) -> Game:
    """Return the table with a command's number, or that of the letter."""
    number = command.number or (context.game.pk if context.game is not None else 0)
    if not number:
        raise mail_errors.LeaveWhich
    table = Game.objects.with_players().filter(pk=number).first()
    if table is None or not may_see_as_player(table, context.require_user()):
        raise errors.NoSuchGame
    if table.status == Game.Status.ACTIVE:
        raise mail_errors.ResignInstead
    return table


ASKS[LeaveCommand] = ask_to_leave


# Opening one


@handles(NewCommand)
def handle_new(command: NewCommand, context: CommandContext) -> CommandResult:
    """Open a table, and invite the opponent that is named.

    Raises NoGameOfThatName, TimeNotOffered, NoSuchTerm, and as `propose` does.
    """
    user = context.require_user()
    rules = rules_called(command.game)
    terms, options = read_terms(rules, command.terms)
    opponent = Opponent("anybody")
    if command.level is not None:
        opponent = Opponent("partner", level=command.level)
    elif _is_named(command):
        opponent = Opponent("address" if "@" in command.opponent else "player", command.opponent)
    game = invitations.propose(
        creator=user,
        rules_slug=rules.slug,
        options=options,
        terms=terms,
        opponent=opponent,
        is_public=True,
        creator_seat=None,
        now=context.now,
    )
    game.refresh_from_db()
    said = _("You have opened table %(number)s: %(terms)s.") % {
        "number": game.pk,
        "terms": describe_table(game, user),
    }
    return result_with_board(game, user, said)


def ask_to_open(command: NewCommand, context: CommandContext) -> CommandResult:
    """Return the question with the terms, or how to name them. Raises what opening raises."""
    user = context.require_user()
    if not command.game:
        lines = []
        for rules in all_rules():
            name = _(rules.name).lower()
            lines.append(_("new %(game)s with bob@example.org, 3 days") % {"game": name})
            lines += [f"    {one}" for one in _list_options(rules)]
            named = [f"{one.number} – {_(one.name)}" for one in levels_of(rules.slug)]
            lines.append("    " + _("with bot level 1–%(highest)s") % {"highest": len(named)})
            lines += [f"        {one}" for one in named]
        how = _("Say the game, the opponent and the time for each turn, and we ask you back.")
        anybody = _("Without an opponent, anybody can join. What you leave out is as usual.")
        title = _("How to open a table")
        return CommandResult(True, (how, anybody), listing="\n".join(lines), title=title)

    def look(result: CommandResult) -> str:
        return describe_table(result.game, user) if result.game else ""

    terms = try_out(command, context, look)
    if command.level is not None:
        level = level_with(rules_called(command.game).slug, command.level)
        would = _("You would play against a program of level %(number)s (%(level)s): %(terms)s.")
        values = {"terms": terms, "number": level.number, "level": _(level.name)}
        return order_question(command.line, context, would % values)
    if _is_named(command):
        would = _("You would open a table and invite %(name)s: %(terms)s.")
    else:
        would = _("You would open a table that anybody can join: %(terms)s.")
    values = {"terms": terms, "name": plain(command.opponent)}
    return order_question(command.line, context, would % values)


ASKS[NewCommand] = ask_to_open


def _is_named(command: NewCommand) -> bool:
    """Tell whether a command names an opponent: “with anybody” does not."""
    return bool(command.opponent) and fold(command.opponent) not in _ANYBODY


# What the words mean -----------------------------------------------------------------------------


def rules_called(name: str) -> AnyRules:
    """Return the game with this name in either language, or this slug. Raises NoGameOfThatName."""
    wanted = _key(name)
    for rules in all_rules():
        if wanted in {_key(rules.slug), *map(_key, _in_each_language(rules.name))}:
            return rules
    names = ", ".join(_(rules.name) for rules in all_rules())
    raise mail_errors.NoGameOfThatName(name=name, games=names)


_RATED = {
    **dict.fromkeys(("rated", "classe", "classee", "avecclassement"), True),
    **dict.fromkeys(("unrated", "notrated", "nonclasse", "nonclassee", "sansclassement"), False),
}
"""What says whether a game is rated, as `_key` gives it."""


def read_terms(rules: AnyRules, terms: Sequence[str]) -> tuple[Terms, dict[str, object]]:
    """Return the terms and the options that are named; names of options may have commas.

    Raises TimeNotOffered and NoSuchTerm.
    """
    pace, options, rest = per_turn(3 * DAY), dict[str, object](), list(terms)
    is_rated: bool | None = None
    while rest:
        if (said := _key(rest[0])) in _RATED:
            is_rated = _RATED[said]
            del rest[0]
            continue
        if time := read_time(rest[0]):
            pace = time
            del rest[0]
            continue
        for length in range(len(rest), 0, -1):
            if found := read_option(rules, ", ".join(rest[:length])):
                options |= found
                del rest[:length]
                break
        else:
            raise mail_errors.NoSuchTerm(given=rest[0], offered=_offered(rules))
    return Terms(pace, is_rated=is_rated), options


def read_time(term: str) -> TimeControl | None:
    """Return the pace that a text names, None if it names none. Raises TimeNotOffered."""
    time = _TIME.fullmatch(" ".join(fold(term).split()))
    if time is None:
        return None
    pace = per_turn(int(time[1]) * (7 if time["weeks"] else 1) * DAY)
    if pace not in PER_TURN:
        offered = ", ".join(span_in_words(one.allowance) for one in PER_TURN)
        raise mail_errors.TimeNotOffered(given=term, offered=offered)
    return pace


def read_option(rules: AnyRules, term: str) -> dict[str, object]:
    """Return the option that a text names, with its value; empty: none."""
    negated = _NOT.fullmatch(" ".join(fold(term).split()))
    number = re.fullmatch(r"(\D+?)[ :=]*(\d{1,9})|(\d{1,9}) *(\D+)", term)
    for option in rules.options():
        labels = {_key(option.key), *map(_key, _in_each_language(option.label))}
        for value, label in option.choices:
            words = {_key(value), *map(_key, _in_each_language(label))}
            if _key(term) in words | {one + word for one in labels for word in words}:
                return {option.key: value}
        if isinstance(option.default, bool):
            if _key(negated[1] if negated else term) in labels:
                return {option.key: negated is None}
        elif number and not option.choices and _key(number[1] or number[4]) in labels:
            return {option.key: int(number[2] or number[3])}
    return {}


def _offered(rules: AnyRules) -> str:
    """Return the times and the options of a game as they can be written."""
    times = ", ".join(span_in_words(pace.allowance) for pace in PER_TURN)
    return "; ".join([times, *_list_options(rules)])


def _list_options(rules: AnyRules) -> list[str]:
    """Return the options of a game with their values."""
    listed = []
    for option in rules.options():
        if option.choices:
            listed.append(
                f"{_(option.label)}: {', '.join(_(one) for _value, one in option.choices)}"
            )
        elif isinstance(option.default, bool):
            listed.append(_(option.label))
        else:
            listed.append(f"{_(option.label)}: {option.minimum}–{option.maximum}")
    return listed


def _in_each_language(text: str) -> list[str]:
    """Return a translatable text in every language of the site."""
    found = []
    for language in Language.values:
        with translation.override(language):
            found.append(_(text))
    return found


def _key(text: str) -> str:
    """Return the letters and digits of a text: what names of games and options are compared by."""
    return "".join(c for c in fold(text) if c.isalnum())
