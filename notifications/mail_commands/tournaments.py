"""Tournaments by mail: list them, join, leave, cancel. What changes something is asked back."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from games.clock.durations import pace_in_words
from games.models import Tournament, TournamentGame
from games.queries import tournaments as queries
from games.services.locking import lock_games
from games.services.tournaments import entries
from notifications import errors as mail_errors
from notifications.emails.formatting import format_moment, plain
from notifications.mail_commands.context import CommandContext, CommandResult, handles
from notifications.mail_commands.questions import ASKS, order_question, try_out
from notifications.mail_parser import TournamentCommand, TournamentsCommand

MOST_LISTED = 30
"""How many tournaments a list has, the newest."""


@handles(TournamentsCommand, only_reads=True)
def handle_tournaments(command: TournamentsCommand, context: CommandContext) -> CommandResult:
    """Send the tournaments that can be joined and those that the user plays in."""
    user = context.require_user()
    found = list(queries.tournament_list(user).filter(ended_at=None))
    own = {pk for pk, one in queries.own_entrants(user, found).items() if one.left_at is None}
    shown = [one for one in found if one.pk in own or not one.started_at][:MOST_LISTED]
    lines = []
    for one in shown:
        lines.append(f"{one.pk}. {plain(one)}")
        facts = [one.game_name, one.get_form_display(), pace_in_words(one.terms.pace)]
        lines.append(f"    {', '.join(facts)}")
        lines += [f"    {line}" for line in _dates(one)]
        values = {"count": one.joined, "most": one.most_players}  # type: ignore[attr-defined]
        lines.append("    " + _("Players: %(count)s of %(most)s at most.") % values)
        if one.pk in own:
            lines.append("    " + _("You play in this tournament."))
    if lines:
        here = _("Reply with “join tournament” and the number to play in one.")
    else:
        here = _("No tournament can be joined now.")
    return CommandResult(True, (here,), listing="\n".join(lines), title=_("Tournaments"))


def _dates(one: Tournament) -> list[str]:
    """Return when a tournament starts and is over."""
    players = one.entrants.exclude(number=None).count() if one.started_at else one.most_players
    values = {
        "start": format_moment(one.starts_at),
        "day": format_moment(one.last_day_of(players)),
    }
    if one.started_at:
        said = _("This tournament is being played, and over on %(day)s at the latest.")
        return [said % values]
    said = _("This tournament starts on %(start)s and is over on %(day)s at the latest.")
    return [said % values]


@handles(TournamentCommand)
def handle_tournament(command: TournamentCommand, context: CommandContext) -> CommandResult:
    """Join, leave or cancel. Raises WhichTournament, and what the services raise."""
    user, found = context.require_user(), _tournament_meant(command, context)
    if command.action == "join":
        key = command.key
        entries.join_tournament(tournament_id=found.pk, user=user, key=key, now=context.now)
        said = _("You play in this tournament.")
    elif command.action == "leave":
        rows = TournamentGame.objects.filter(round__tournament=found, game__status="active")
        theirs = rows.filter(first__user=user) | rows.filter(second__user=user)
        lock_games(pk for pk in theirs.values_list("game", flat=True) if pk is not None)
        entries.leave_tournament(tournament_id=found.pk, user=user, now=context.now)
        said = _("You have left the tournament.")
    else:
        entries.cancel_tournament(tournament_id=found.pk, user=user, now=context.now)
        said = _("The tournament is cancelled.")
    return CommandResult(True, (said,))


def ask_about_tournament(command: TournamentCommand, context: CommandContext) -> CommandResult:
    """Return the question with what would follow. Raises what the command raises."""
    found = _tournament_meant(command, context)
    try_out(command, context, lambda result: None)
    name = {"name": plain(found)}
    more: list[str] = []
    if command.action == "join":
        said = _("You would play in the tournament %(name)s.")
        count = found.games_at_once
        games = ngettext(
            "Whoever joins plays up to %(games_)s game at once.",
            "Whoever joins plays up to %(games_)s games at once.",
            count,
        )
        more = [*_dates(found), games % {"games_": count}]
        joined = found.entrants.filter(left_at=None).values("user")
        blocks = context.require_user().blocks.values("of")
        if blocked := User.objects.filter(pk__in=blocks).filter(pk__in=joined):
            warning = _(
                "You have blocked players who have joined. Swiss rounds keep you apart as long as "
                "everybody finds an opponent; everywhere else you may have to play them:"
            )
            more.append(f"{warning} {', '.join(plain(one) for one in blocked)}.")
    elif command.action == "leave":
        said = _("You would leave the tournament %(name)s.")
        more = [
            _(
                "All of your running games of this tournament are resigned, and you cannot come "
                "back."
            )
            if found.started_at
            else _("You can join again until it starts, if there is room.")
        ]
    else:
        said = _("You would cancel the tournament %(name)s.")
        more = [_("Nobody plays, and everybody who has joined is told by mail.")]
    key = f" key {command.key}" if command.key else ""
    line = f"{command.action} tournament {found.pk}{key}"
    return order_question(line, context, said % name, *more)


ASKS[TournamentCommand] = ask_about_tournament


def _tournament_meant(command: TournamentCommand, context: CommandContext) -> Tournament:
    """Return the tournament with the number, or the only one that can be meant.

    Raises NoSuchTournament, WhichTournament.
    """
    user, number = context.require_user(), command.number
    if not number:
        possible = queries.tournament_list(user).filter(ended_at=None)
        if command.action == "leave":
            possible = possible.filter(entrants__user=user, entrants__left_at=None)
        elif command.action == "cancel":
            possible = possible.filter(started_at=None, opened_by=user)
        else:
            possible = possible.filter(started_at=None).exclude(entrants__user=user)
        numbers = list(possible.values_list("pk", flat=True)[:2])
        if len(numbers) != 1:
            word = {
                "join": _("join tournament"),
                "leave": _("leave tournament"),
                "cancel": _("cancel tournament"),
            }[command.action]
            raise mail_errors.WhichTournament(example=f"{word} {(*numbers, 12)[0]}")
        (number,) = numbers
    return queries.visible_tournament(number, user, command.key)
