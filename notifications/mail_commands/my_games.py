"""A player's games, any game, its record, and the people at it: what a page would show."""

from dataclasses import replace

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from accounts.names import shown_name
from games import errors
from games.clock.durations import rounded_up_in_words
from games.models import Game
from games.models.game import name_of_game
from games.queries.home import ListedGame, home_page
from games.queries.profiles import Profile, profile_of
from games.queries.seats import may_see_as_player
from notifications.emails.formatting import format_moment, game_subject, plain
from notifications.mail_commands.context import (
    CommandContext,
    CommandResult,
    handles,
)
from notifications.mail_commands.listings import record_of
from notifications.mail_commands.shown_games import with_seen_game
from notifications.mail_parser import (
    Command,
    GameCommand,
    MailCommand,
    ProfileCommand,
    RecordCommand,
)

MOST_LISTED = 100
"""Games in one answer."""


@handles(Command.GAMES, only_reads=True)
def handle_games(command: MailCommand, context: CommandContext) -> CommandResult:
    """Send the player's games, a line each: their turn first, by deadline.

    Running games are numbered, and a reply can use these numbers, as in answer to a digest.
    """
    user = context.require_user()
    page = home_page(user)
    lines: list[str] = []
    numbered: list[tuple[int, int, int]] = []
    for headline, games in (
        (_("Your turn:"), page.awaiting),
        (_("Others are to move:"), page.waiting),
    ):
        if games:
            lines += ["", headline]
        for game in games[: MOST_LISTED - len(numbered)]:
            number = len(numbered) + 1
            numbered.append((number, game.pk, game.turn_number))
            lines.append(f"{number}. {_describe(game, user)}")
    if page.challenges:
        lines += ["", _("Invitations:")]
        lines += [
            _("%(name)s invites you to %(game)s (game %(number)s)")
            % {
                "name": plain(one.by),
                "game": name_of_game(one.game.rules_slug),
                "number": one.game_id,
            }
            for one in page.challenges
        ]
    if page.tables:
        lines += ["", _("Your tables that wait for players:")]
        lines += [_describe(game, user) for game in page.tables]
        leave = _("To leave one of them, or cancel it, reply “leave %(number)s”.")
        lines.append(leave % {"number": page.tables[0].pk})
    running = len(page.awaiting) + len(page.waiting)
    counted = ngettext("You play %(count)d game.", "You play %(count)d games.", running)
    said = [counted % {"count": running}]
    if numbered:
        how = _(
            "To play in one of them, begin a line of your reply with its number, as in “1 help”."
        )
        said.append(how)
    if running > len(numbered):
        said.append(_("These are the first %(count)d of them.") % {"count": len(numbered)})
    return CommandResult(
        True,
        tuple(said),
        listing="\n".join(lines).strip(),
        title=_("Your games"),
        numbered=tuple(numbered),
    )


def _describe(game: ListedGame, user: User) -> str:
    """Return the game, its number, the opponents and the deadline, on one line."""
    others = [seat for seat in game.seats if seat.user not in (None, user.pk)]
    names = ", ".join(
        plain(shown_name(seat.username, seat.display_name, is_bot=seat.is_bot)) for seat in others
    )
    line = game_subject(name_of_game(game.rules_slug), names, game.pk)
    if game.stop_reason:
        return _("%(game)s – the clock stands") % {"game": line}
    if game.deadline is None:
        return line
    return _("%(game)s – until %(when)s") % {"game": line, "when": format_moment(game.deadline)}


@handles(GameCommand, only_reads=True)
def handle_game(command: GameCommand, context: CommandContext) -> CommandResult:
    """Send the board of a game; a reply to it is about that game. Raises NoSuchGame."""
    game = _visible(command.number, context)
    here = (_("Here is the board."),)
    return CommandResult(True, here, game, title=_("The board"))


@handles(RecordCommand, only_reads=True)
def handle_record(command: RecordCommand, context: CommandContext) -> CommandResult:
    """Send the record of a game. Raises NoSuchGame."""
    game = _visible(command.number, context)
    here = (_("Here is the record of the game."),)
    return CommandResult(True, here, game, record_of(game), _("The record of the game"))


def _visible(number: int, context: CommandContext) -> Game:
    """Return a game that has begun and that the user may see. Raises NoSuchGame."""
    game = Game.objects.filter(pk=number).first()
    if game is None or not may_see_as_player(game, context.require_user()):
        raise errors.NoSuchGame
    context = with_seen_game(replace(context, game=game))
    if game.started_at is None:
        raise errors.NoSuchGame
    return context.require_game()


@handles(ProfileCommand, only_reads=True)
def handle_profile(command: ProfileCommand, context: CommandContext) -> CommandResult:
    """Send what the user sees on a player's page. Raises NoSuchPlayer."""
    profile = profile_of(command.name, context.require_user(), now=context.now)
    if profile is None:
        raise errors.NoSuchPlayer(name=command.name)
    name = plain(profile.person)
    title = _("The player %(name)s") % {"name": name}
    here = (_("This is what you see on the page of %(name)s.") % {"name": name},)
    return CommandResult(True, here, listing="\n".join(describe_player(profile)), title=title)


def describe_player(profile: Profile) -> list[str]:
    """Return the facts of a profile that its viewer may see, a line each."""
    person = profile.person
    since = date_format(person.date_joined, "DATE_FORMAT")
    lines = [f"{plain(person)} (@{person.username})", _("Here since %(day)s") % {"day": since}]
    if not person.is_active:
        lines.append(_("This account is closed."))
    if profile.away_until:
        lines.append(_("Away until %(when)s") % {"when": format_moment(profile.away_until)})
    if profile.shows_results:
        running = profile.facts["running"]
        now_playing = ngettext("Plays %(count)d game now", "Plays %(count)d games now", running)
        lines.append(now_playing % {"count": running})
    for one in profile.kinds:
        counted = _("%(game)s: %(won)d won, %(drawn)d drawn, %(lost)d lost")
        values = {"won": one.won, "drawn": one.drawn, "lost": one.lost}
        lines.append(counted % {"game": name_of_game(one.rules_slug), **values})
    if answering := profile.answering:
        usual = _("Usually answers within %(median)s, nine turns of ten within %(slow)s")
        spans = {"median": answering.median, "slow": answering.slow}
        lines.append(usual % {key: rounded_up_in_words(span) for key, span in spans.items()})
    if together := profile.together:
        counted = _("You against them: %(won)d won, %(drawn)d drawn, %(lost)d lost")
        values = {"won": together.won, "drawn": together.drawn, "lost": together.lost}
        lines.append(counted % values)
    return lines
