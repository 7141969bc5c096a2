"""The longest duration of a turn for each player at a table, shown before somebody joins."""

from datetime import datetime, timedelta

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import User
from games.clock.clock import MOST_STRETCH, longest_turn
from games.clock.durations import rounded_up_in_words
from games.models import Game, Seat
from games.queries.seats import Viewer
from games.services.clock.game_clock import schedule_of


def turn_bounds(game: Game, viewer: Viewer, *, now: datetime) -> list[str]:
    """Return what a table promises about time, as sentences in the active language.

    The seats and players are loaded. Of those who are only asked, the table's creator sees the
    bounds too. The number of queries does not depend on the number of seats.
    """
    seats: dict[User, Seat | None] = {
        seat.player: seat
        for seat in game.all_seats
        if seat.player is not None
        and (seat.left_at is None or seat.played_by_partner_id is not None)
    }
    if game.status == Game.Status.OPEN and viewer.pk == game.creator_id:
        asked = game.invitations.open().select_related("user")
        seats |= {one.user: None for one in asked if one.user is not None}
    own: dict[User, Seat | None] = {}
    if isinstance(viewer, User) and (viewer in seats or game.status == Game.Status.OPEN):
        own = {viewer: seats.pop(viewer, None)}
    sentences = []
    for player, seat in (seats | own).items():
        bound = rounded_up_in_words(_bound(game, player, seat, now))
        said = _("Each turn of %(name)s lasts at most %(time)s.")
        if player in own:
            said = _("Each of your turns lasts at most %(time)s.")
        sentences.append(said % {"name": player, "time": bound})
    return [*sentences, *_about_absences(game)]


def longest_of_others(game: Game, *, now: datetime) -> str:
    """Return in words the longest duration of a turn of any player at the table."""
    times = [_bound(game, seat.player, seat, now) for seat in game.all_seats if seat.player]
    return rounded_up_in_words(max(times))


def _bound(game: Game, player: User, seat: Seat | None, now: datetime) -> timedelta:
    """Return the longest duration of a turn of `player`, with their current weekly schedule."""
    time = game.terms.pace.most
    if seat is not None:
        time = max(time, seat.time_left)  # more was given to them
    if not game.allows_days_off:
        return time
    return longest_turn(time, schedule_of(player), now.year)


def _about_absences(game: Game) -> list[str]:
    days = settings.VACATION_DAYS_A_YEAR
    if game.allows_vacations and days:
        away = ngettext(
            "On top come vacations: players may be away up to %(count)s day a year.",
            "On top come vacations: players may be away up to %(count)s days a year.",
            days,
        ) % {"count": days}
    else:
        away = _("Nobody may be away: the clock runs during vacations.")
    if not game.allows_days_off:
        return [away]
    most = rounded_up_in_words(MOST_STRETCH * game.terms.pace.most)
    later = _("If somebody changes their days off or quiet hours, a turn lasts at most %(time)s.")
    return [away, later % {"time": most}]
