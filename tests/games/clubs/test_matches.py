"""Matches of two clubs: challenge, answer, boards, games, the end."""

from datetime import timedelta

import pytest

from accounts.models import User
from games import club_errors
from games.models import ClubMatchGame, ClubNews, Game, Rating
from games.moderation.site import begin_maintenance, end_maintenance
from games.queries.clubs import MatchState, match_of
from games.services.clubs.boards import begin_board, run_clubs, start_match
from games.services.clubs.clubs import close_club
from games.services.clubs.matches import (
    accept_match,
    decline_match,
    enter_match,
    quit_match,
    withdraw_match,
)
from games.services.clubs.members import leave_club
from games.services.endings import can_abort, resign
from tests.factories import PersonFactory
from tests.games.clubs.meeting import DAY, agreed_match, challenge, club_of, two_clubs
from tests.games.play import unchanged

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)


def refused(error, service, **arguments):
    with unchanged(), pytest.raises(error):
        service(**arguments)


def told(what):
    return sorted(ClubNews.objects.filter(tells=what).values_list("reader__username", flat=True))


def boards(match):
    """Return the names of each board, who has the first turn first."""
    rows = match.boards.select_related("first__user", "second__user")
    return [(row.first.user.username, row.second.user.username) for row in rows]


def test_a_manager_challenges_and_another_one_answers(now):
    (home, away), (hosts, guests) = two_clubs(now)
    refused(club_errors.ManagersOnly, challenge, home=home, away=away, by=hosts[1], now=now)
    refused(club_errors.NotInClub, challenge, home=home, away=away, by=guests[0], now=now)
    refused(club_errors.OwnClub, challenge, home=home, away=home, by=hosts[0], now=now)
    at = {"home": home, "away": away, "by": hosts[0], "now": now}
    for changed, error in (
        ({"most_boards": 1}, club_errors.BadMatch),
        ({"most_boards": 11}, club_errors.BadMatch),
        ({"game_days": 121}, club_errors.BadMatch),
        ({"starts_at": now + HOUR}, club_errors.BadMatchStart),
        ({"starts_at": now + 61 * DAY}, club_errors.BadMatchStart),
    ):
        refused(error, challenge, **at, **changed)
    match = challenge(**at)
    assert told("challenged") == ["a0"]
    back = {"home": away, "away": home, "by": guests[0], "now": now}
    refused(club_errors.ChallengedAlready, challenge, **back)
    answer = {"match_id": match.pk, "now": now}
    refused(club_errors.ManagersOnly, accept_match, user=guests[1], **answer)
    refused(club_errors.NotInClub, accept_match, user=hosts[0], **answer)
    refused(club_errors.NotInClub, withdraw_match, user=guests[0], **answer)
    decline_match(user=guests[0], **answer)
    assert told("not-played") == ["a0", "h0"]
    match = challenge(**at)
    answer = {"match_id": match.pk, "now": now}
    withdraw_match(user=hosts[0], **answer)
    refused(club_errors.MatchAnswered, accept_match, user=guests[0], **answer)
    match = challenge(**at)
    answer = {"match_id": match.pk, "now": now}
    accept_match(user=guests[0], **answer)
    assert told("accepted") == ["h0"]
    refused(club_errors.MatchAnswered, withdraw_match, user=hosts[0], **answer)
    refused(club_errors.MatchAnswered, decline_match, user=guests[0], **answer)
    late = {"match_id": match.pk, "club_id": home.pk, "now": match.starts_at}
    refused(club_errors.MatchHasBegun, enter_match, user=hosts[0], **late)
    refused(club_errors.NotInClub, enter_match, user=hosts[0], **(late | {"club_id": away.pk}))
    enter_match(user=hosts[0], **(late | {"now": now}))
    refused(club_errors.PlaysInMatch, enter_match, user=hosts[0], **(late | {"now": now}))
    quit_match(user=hosts[0], **answer)
    refused(club_errors.NotInMatch, quit_match, user=hosts[0], **answer)


def test_boards_are_in_order_of_strength_and_the_first_turn_alternates(now):
    """Who said so first plays; who has no rating comes last, in the order of joining."""
    match, hosts, guests = agreed_match(now, size=5, most_boards=4)
    for person, mu in ((hosts[2], 1500), (hosts[3], 1700), (guests[1], 1400), (guests[4], 2900)):
        Rating.objects.create(
            player=person,
            rules_slug="morpion",
            table_kind="2",
            level=0,
            mu=mu,
            sigma=40,
            games=9,
            of_program=False,
            changed_at=now,
        )
    run_clubs(now=match.starts_at - HOUR)
    assert not match.boards.exists()
    run_clubs(now=match.starts_at)
    # h4 and a4, strong as she may be, said last that they want to play.
    assert boards(match) == [("h3", "a1"), ("a0", "h2"), ("h0", "a2"), ("a3", "h1")]
    assert Game.objects.filter(status="active", is_public=True).count() == 4
    for row in match.boards.select_related("first__user", "game"):
        assert row.game.seats.get(number=0).user == row.first.user
        assert not can_abort(row.game)
    assert told("match-begins") == sorted(one.username for one in (*hosts, *guests))
    run_clubs(now=match.starts_at)
    assert Game.objects.count() == 4
    refused(
        club_errors.MatchHasBegun, quit_match, match_id=match.pk, user=hosts[0], now=match.starts_at
    )


def test_who_cannot_play_has_no_board_and_too_few_play_no_match(now):
    match, hosts, guests = agreed_match(now, size=5)
    leave_club(club_id=match.home_id, user=hosts[1], now=now)
    assert not match.players.filter(user=hosts[1]).exists()
    User.objects.filter(pk=hosts[2].pk).update(barred_until=match.starts_at + DAY)
    User.objects.filter(pk=hosts[3].pk).update(deletion_due_at=match.starts_at + DAY)
    run_clubs(now=match.starts_at)
    assert boards(match) == [("h0", "a0"), ("a1", "h4")]
    other = club_of(PersonFactory(username="alone"), now=now, name="Alone")
    start = match.starts_at + 3 * DAY
    for accepts, why in ((True, "too-few"), (False, "unanswered")):
        next_one = challenge(other, match.away, other.members.get().user, now, starts_at=start)
        if accepts:
            accept_match(match_id=next_one.pk, user=guests[0], now=now)
        run_clubs(now=start)
        next_one.refresh_from_db()
        assert (next_one.not_played_because, next_one.ended_at) == (why, start)
        start += DAY
    waits = challenge(other, match.away, other.members.get().user, now, starts_at=start)
    enter_match(match_id=waits.pk, club_id=match.away_id, user=guests[3], now=now)
    ClubNews.objects.all().delete()
    close_club(club_id=other.pk, user=other.members.get().user, now=now)
    waits.refresh_from_db()
    assert waits.not_played_because == "closed"
    assert told("not-played") == ["a0", "a3", "alone"]


def test_the_table_is_computed_from_the_games_and_the_last_day_decides(now):
    match, hosts, guests = agreed_match(now, size=3)
    start = match.starts_at
    run_clubs(now=start)
    first, second, third = match.boards.select_related("game")
    resign(game_id=first.game_id, user=guests[0], now=start)
    resign(game_id=second.game_id, user=guests[1], now=start)
    assert MatchState(match_of(match.pk)).score == (4, 0)
    run_clubs(now=start + DAY)
    match.refresh_from_db()
    assert match.ended_at is None
    final = start + 20 * DAY
    assert match.final_at == final
    Game.objects.filter(pk=third.game_id).update(  # its clock stands: nobody loses on time
        deadline=None,
        reminder_at=None,
        stop_reason="moderator",
        clock_started_at=None,
        stopped_at=start,
    )
    run_clubs(now=final)
    run_clubs(now=final + HOUR)
    match.refresh_from_db()
    assert match.ended_at == final
    state = MatchState(match_of(match.pk))
    assert (state.score, state.winner) == ((5, 1), match.home)
    assert told("match-ends") == sorted(one.username for one in (*hosts, *guests))
    # A moderator's later decision is in the table, too.
    Game.objects.filter(pk=first.game_id).update(status="aborted")
    assert MatchState(match_of(match.pk)).score == (3, 1)


def test_nothing_begins_in_maintenance_and_a_board_of_a_closed_account_is_annulled(now, moderator):
    match, hosts, _guests = agreed_match(now, size=3)
    start = match.starts_at
    begin_maintenance(note="", by=moderator, why="Disks", now=start)
    assert run_clubs(now=start) == 0
    assert not match.boards.exists()
    end_maintenance(by=moderator, why="Done", now=start)
    start_match(match.pk, now=start)
    User.objects.filter(pk=hosts[1].pk).update(is_active=False)
    run_clubs(now=start)
    gone = ClubMatchGame.objects.get(board=2)
    assert (gone.game, gone.annulled_at) == (None, start)
    assert Game.objects.count() == 2
    state = MatchState(match_of(match.pk))
    assert (state.boards[1].home_points, state.score) == (None, (0, 0))
    board = ClubMatchGame.objects.get(board=1)
    ClubMatchGame.objects.filter(pk=board.pk).update(game=None)
    begin_board(board.pk, now=start + 20 * DAY)  # too late
    board.refresh_from_db()
    assert (board.game, board.annulled_at) == (None, start + 20 * DAY)
