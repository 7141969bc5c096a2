"""Turns and results in words, for one reader."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext, gettext_noop, ngettext
from django.utils.translation import gettext as _

from accounts.models import User
from games.models import Event, Game, Seat
from games.queries import player_at, words_of_turn
from notifications.services.emails.names import plain


@dataclass(frozen=True)
class Result:
    """How a game ended: for the reader in a few words, and why in a sentence."""

    headline: str
    reason: str


def last_turn(game: Game) -> str:
    """Return what was played last, as a sentence; empty before the first turn."""
    turn = game.turns.select_related("player").filter(number=game.turn_number).first()
    if turn is None:
        return ""
    words = words_of_turn(game, turn.number)
    return _("%(name)s %(does)s.") % {"name": plain(turn.player), "does": words}


def result_of(game: Game, reader: User | None) -> Result:
    """Return how a game that is over ended, as `reader` sees it."""
    seats = list(game.seats.all())
    return Result(_headline(game, seats, reader), _reason(game, seats, reader))


def standings_of(game: Game) -> list[str]:
    """Return who came where, a line each, in a game with points or with more than two players."""
    seats = sorted(
        (seat for seat in game.seats.all() if seat.place is not None),
        key=lambda seat: (seat.place, seat.number),
    )
    if len(seats) == 2 and seats[0].points is None:  # noqa: PLR2004  (the headline says it all)
        return []
    return [_standing(seat) for seat in seats]


def _standing(seat: Seat) -> str:
    who = {"place": seat.place, "name": plain(seat.user), "points": seat.points}
    if seat.points is None:
        return _("%(place)s. %(name)s") % who
    return (
        ngettext(
            "%(place)s. %(name)s, %(points)s point",
            "%(place)s. %(name)s, %(points)s points",
            seat.points,
        )
        % who
    )


def _headline(game: Game, seats: Sequence[Seat], reader: User | None) -> str:
    winners = [seat for seat in seats if seat.place == 1]
    if game.status != Game.Status.FINISHED:
        return _("The game was broken off")
    if len(winners) == len(seats):
        return _("A draw")
    if any(seat.user_id == reader.pk for seat in winners if reader):
        return _("You have won")
    names = ", ".join(plain(seat.user) for seat in winners)
    return ngettext("%(name)s has won", "%(name)s have won", len(winners)) % {"name": names}


def _reason(game: Game, seats: Sequence[Seat], reader: User | None) -> str:
    if game.ending == Game.Ending.NEVER_BEGUN:
        mover = player_at(game, game.rules.to_move(game.rules.load(game.position)) or 0)
        return _("%(name)s never played the first turn.") % {"name": plain(mover)}
    if game.ending == Game.Ending.ABORTED:
        return _("A player broke the game off before everybody had played a turn.")
    if game.ending in _JUDGED:
        return _(_JUDGED[game.ending]) % {"why": _why(game)}
    if game.ending == Game.Ending.UNREACHABLE:
        return _("No mail reached one of the players for a long time, and they did not come by.")
    losers = [seat.user for seat in seats if seat.place != 1]
    if len(losers) == 1 and game.ending in (Game.Ending.RESIGNED, Game.Ending.TIMEOUT):
        return _gave_up(losers[0], game.ending, reader)
    return game.rules.reason(game.ending).translated(gettext)


_JUDGED: Mapping[str, str] = {
    Game.Ending.ADJUDICATED: gettext_noop("A moderator decided this game: %(why)s"),
    Game.Ending.BROKEN_OFF: gettext_noop("A moderator broke this game off: %(why)s"),
}


def _why(game: Game) -> str:
    acts = game.events.filter(kind=Event.Kind.MODERATED).order_by("-pk")
    details = acts.values_list("details", flat=True).first() or {}
    return plain(details.get("why", ""))


def _gave_up(loser: User | None, ending: str, reader: User | None) -> str:
    resigned = ending == Game.Ending.RESIGNED
    if loser == reader:
        return _("You resigned.") if resigned else _("You ran out of time.")
    told = _("%(name)s resigned.") if resigned else _("%(name)s ran out of time.")
    return told % {"name": plain(loser)}
