"""Wishes for opponents by mail: find an opponent, list one's wishes, withdraw one."""

import re
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from games import errors, wish_errors
from games.clock.durations import pace_in_words, wait_in_words
from games.models import Terms, Wish
from games.queries.lists import lobby
from games.queries.wishes import ShownWish, shown_wishes, usual_wait
from games.rules.base import AnyRules
from games.services.wishes import make_wish, withdraw_wish
from games.templatetags.boards import options_of
from notifications import errors as mail_errors
from notifications.mail_commands.context import CommandContext, CommandResult, handles
from notifications.mail_commands.questions import ASKS, order_question, try_out
from notifications.mail_commands.starting import (
    ask_to_join,
    ask_to_open,
    read_terms,
    read_time,
    rules_called,
)
from notifications.mail_parser import (
    FindCommand,
    JoinCommand,
    NewCommand,
    WishesCommand,
    WithdrawWishCommand,
)

MOST_TRIED = 20
"""Open tables that are tried for somebody who looks for an opponent."""

_RATINGS = re.compile(r"(?:ratings?|classements?) (\d{1,4}) ?(?:-|to|a) ?(\d{1,4})")
_AT_ONCE = re.compile(r"(\d{1,3}) (?:games?|parties?)(?: at once| a la fois)?")


@dataclass(frozen=True)
class _Sought:
    """What a command looks for: `options` and `names_time` say what it names itself."""

    rules: AnyRules
    terms: Terms
    options: dict[str, object]
    names_time: bool
    lowest: int | None = None
    highest: int | None = None
    at_once: int | None = None

    @property
    def is_only_for_wishes(self) -> bool:
        """Whether it names what no open table says."""
        return self.lowest is not None or self.at_once is not None


def _read(game: str, terms: tuple[str, ...]) -> _Sought:
    """Return what is sought. Raises NoGameOfThatName, TimeNotOffered, NoSuchTerm."""
    rules = rules_called(game)
    numbers: dict[str, int] = {}
    rest = []
    for term in terms:
        if ratings := _RATINGS.fullmatch(term):
            numbers |= {"lowest": int(ratings[1]), "highest": int(ratings[2])}
        elif at_once := _AT_ONCE.fullmatch(term):
            numbers["at_once"] = int(at_once[1])
        else:
            rest.append(term)
    names_time = any(read_time(term) is not None for term in rest)
    read, options = read_terms(rules, rest)
    bounds = numbers.get("lowest"), numbers.get("highest")
    return _Sought(rules, read, options, names_time, *bounds, numbers.get("at_once"))


# Find an opponent --------------------------------------------------------------------------------


def ask_to_find(command: FindCommand, context: CommandContext) -> CommandResult:
    """Return the question about the fitting table that has waited longest, or about a wish.

    A game that is to be unrated, or not for two, is offered at a new table: no wish is for such a
    game. Raises NoGameOfThatName, TimeNotOffered, NoSuchTerm, NobodyWaits, and what sitting down,
    opening and wishing raise.
    """
    sought = _read(command.game, command.terms) if command.game else None
    waiting = lobby(context.require_user()).filter(expires_at__gt=context.now)
    if sought is not None:
        waiting = waiting.filter(rules_slug=sought.rules.slug)
        if sought.terms.is_rated is not None:
            waiting = waiting.filter(is_rated=sought.terms.is_rated)
        if sought.names_time:
            pace = sought.terms.pace
            waiting = waiting.filter(
                pace=pace.kind, allowance=pace.allowance, bank=pace.bank, cap=pace.cap
            )
    if sought is None or not sought.is_only_for_wishes:
        for game in waiting.order_by("created_at", "pk")[:MOST_TRIED]:
            if sought is not None and not sought.options.items() <= game.options.items():
                continue
            try:
                return ask_to_join(JoinCommand(game.pk), context)
            except (errors.TableFull, errors.TableNotOpen, errors.NotWelcome):
                continue
    if sought is None:
        raise mail_errors.NobodyWaits
    line = ", ".join([command.game, *command.terms])
    new = NewCommand(f"new {line}", command.game, terms=command.terms)
    if sought.terms.is_rated is False:
        return ask_to_open(new, context)
    try:
        wished = try_out(command, context, lambda result: result.paragraphs[0])
    except wish_errors.WishIsForTwo:
        return ask_to_open(new, context)
    would = _("No open table fits, so we would look until we find somebody, and begin the game.")
    waits = _how_long(usual_wait(sought.rules.slug, sought.terms.pace))
    return order_question(f"find opponent {line}", context, would, wished, waits)


@handles(FindCommand)
def handle_find(command: FindCommand, context: CommandContext) -> CommandResult:
    """Wish for an opponent. Raises NoGameOfThatName, TimeNotOffered, NoSuchTerm, as `make_wish`."""
    sought = _read(command.game, command.terms)
    wish = make_wish(
        user=context.require_user(),
        rules_slug=sought.rules.slug,
        options=sought.options,
        pace=sought.terms.pace,
        lowest=sought.lowest,
        highest=sought.highest,
        at_once=sought.at_once or 1,
        via=Wish.Via.MAIL,
        now=context.now,
    )
    said = (
        _("Your wish: %(wish)s.") % {"wish": _describe(wish)},
        _how_long(usual_wait(sought.rules.slug, sought.terms.pace)),
        _("We write when an opponent is found. “withdraw wish %(number)s” ends the search.")
        % {"number": wish.pk},
    )
    return CommandResult(True, said)


ASKS[FindCommand] = ask_to_find


def _how_long(usual: timedelta | None) -> str:
    """Return how long it usually takes to find an opponent, or that too little is known."""
    if usual is None:
        return _("Too few players have been paired at this pace to say how long it takes.")
    said = _("It usually takes %(time)s to find an opponent here.")
    return said % {"time": wait_in_words(usual)}


def _describe(wish: Wish) -> str:
    """Return what is wished for on one line."""
    options = ", ".join(f"{label}: {value}" for label, value in options_of(wish))
    parts = [wish.name + (f" ({options})" if options else ""), pace_in_words(wish.time_control)]
    bounds = {"lowest": wish.lowest, "highest": wish.highest}
    if wish.lowest is not None and wish.highest is not None:
        parts.append(_("opponents rated %(lowest)s to %(highest)s") % bounds)
    elif wish.lowest is not None:
        parts.append(_("opponents rated %(lowest)s or more") % bounds)
    elif wish.highest is not None:
        parts.append(_("opponents rated %(highest)s or less") % bounds)
    if wish.at_once > 1:
        games = ngettext("%(count)s game at once", "%(count)s games at once", wish.at_once)
        parts.append(games % {"count": wish.at_once})
    return " – ".join([*parts, _("rated")])


# The wishes that one has -------------------------------------------------------------------------


@handles(WishesCommand, only_reads=True)
def handle_wishes(command: WishesCommand, context: CommandContext) -> CommandResult:
    """Send the user's wishes, with what each of them waits for and how long it usually takes."""
    shown = shown_wishes(context.require_user(), now=context.now)
    lines = []
    for one in shown:
        lines.append(f"{one.wish.pk} – {_describe(one.wish)}")
        lines.append(f"    {_state_of(one, context.now)}")
        lines.append(f"    {_how_long(one.usual_wait)}")
    if shown:
        here = _("Reply with “withdraw wish” and a number to end a search. Games go on.")
    else:
        here = _("You look for no opponent. “find opponent” and a game begins a search.")
    return CommandResult(True, (here,), listing="\n".join(lines), title=_("Your wishes"))


def _state_of(shown: ShownWish, now: datetime) -> str:
    """Return what becomes of a wish at the moment, in a sentence."""
    if shown.state == "waits":
        since = wait_in_words(now - (shown.wish.waits_since or now))
        return _("We have been looking for %(since)s.") % {"since": since}
    return {
        "away": _("You are on vacation: we look again when you are back."),
        "rests": _(
            "You let a game of this wish run out of time, so we do not look for now. Save the wish "
            "again when you have time to play."
        ),
        "enough": _("You have as many games as you wished for. We look again when one is over."),
    }[shown.state]


@handles(WithdrawWishCommand)
def handle_withdraw_wish(command: WithdrawWishCommand, context: CommandContext) -> CommandResult:
    """Withdraw the wish that is meant. Raises WhichWish, as `_wish_meant` and `withdraw_wish`."""
    user = context.require_user()
    wish = _wish_meant(command, user)
    withdraw_wish(wish_id=wish.pk, user=user, now=context.now)
    what = _("Withdrawn: %(wish)s.") % {"wish": _describe(wish)}
    return CommandResult(True, (what, _("Games that have begun go on.")))


def _wish_meant(command: WithdrawWishCommand, user: User) -> Wish:
    """Return the one open wish of a user that a command names.

    Raises NoSuchWish, WhichWish, NoGameOfThatName, TimeNotOffered, NoSuchTerm.
    """
    found = Wish.objects.filter(user=user, withdrawn_at=None).order_by("pk")
    if command.number:
        found = found.filter(pk=command.number)
    named: dict[str, object] = {}
    if command.game:
        sought = _read(command.game, command.terms)
        found, named = found.filter(rules_slug=sought.rules.slug), sought.options
        if sought.names_time:
            pace = sought.terms.pace
            found = found.filter(pace=pace.kind, allowance=pace.allowance)
    wishes = [wish for wish in found if named.items() <= wish.options.items()]
    if not wishes:
        raise wish_errors.NoSuchWish
    if len(wishes) > 1:
        example = _("withdraw wish %(number)s") % {"number": wishes[0].pk}
        raise mail_errors.WhichWish(example=example)
    return wishes[0]
