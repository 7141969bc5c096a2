"""Letters to the players of a tournament: at each round, at the end, and if it is not played."""

import pytest
from django.core import mail

from games.models import TournamentGame
from games.moderation.competition import (
    annul_game,
    cancel_as_moderator,
    remove_from_tournament,
)
from games.services.endings import resign
from games.services.tournaments.entries import cancel_tournament, leave_tournament
from games.services.tournaments.rounds import run_tournaments
from notifications.outbox.delivery import send_due
from notifications.outbox.recipients import make_notices
from notifications.outbox.tournament_letters import tell_tournaments
from tests.games.moderating import a_moderator
from tests.games.tournaments.simulation import DAY, join_all, open_one, started
from tests.notifications.outgoing_mail import html_of


@pytest.fixture
def people(ann, bob, cat, db):
    return [ann, bob, cat]


def letters(now):
    """Write and send the letters that are due, and return them by their reader's name."""
    mail.outbox.clear()
    tell_tournaments(now=now)
    send_due(now=now)
    found = [one for one in mail.outbox if one.extra_headers["X-Pli-Kind"] == "tournament"]
    return {one.to[0].partition("@")[0]: one for one in found}


def play_out(tournament, best, now):
    """Let `best` win every running game; in the others the second player resigns."""
    for row in TournamentGame.objects.filter(game__status="active"):
        loser = row.first if row.second.user == best else row.second
        resign(game_id=row.game_id, user=loser.user, now=now)
    run_tournaments(now=now)


def test_a_round_is_told_once_with_the_games_and_their_last_day(people, now):
    _, start = started(people, now, "round-robin")
    found = letters(start)
    assert set(found) == {"ann", "bob", "cat"}
    assert found["ann"].subject.startswith("Your tournament begins")
    assert "commence" in found["bob"].subject
    for row in TournamentGame.objects.all():
        link = f"/games/{row.game_id}/"
        is_hers = "ann" in {row.first.user.username, row.second.user.username}
        assert (link in found["ann"].body) is (link in html_of(found["ann"])) is is_hers
    assert letters(start) == {}


def test_the_first_letter_waits_until_the_games_have_begun(people, now):
    _, start = started(people, now, "round-robin")
    row = TournamentGame.objects.last()
    TournamentGame.objects.filter(pk=row.pk).update(game=None)
    assert letters(start) == {}
    TournamentGame.objects.filter(pk=row.pk).update(game=row.game)
    assert len(letters(start)) == 3


def test_who_is_free_and_who_has_left_are_told_what_is_so(people, now):
    tournament, start = started(people, now, "swiss")
    free = TournamentGame.objects.get(second=None).first.user
    left = next(one for one in people if one != free)
    leave_tournament(tournament_id=tournament.pk, user=left, now=start)
    found = letters(start)
    assert set(found) == {one.username for one in people if one != left}
    said = found[free.username].body
    assert "/games/" not in said
    assert ("no game in this round" in said) or ("pas de partie dans cette ronde" in said)


@pytest.mark.parametrize("form", ["round-robin", "knockout"])
def test_the_last_letter_has_the_table_once_in_both_languages(people, now, form):
    ann, *_ = people
    tournament, start = started(people, now, form)
    letters(start)
    while tournament.ended_at is None:
        play_out(tournament, ann, start + DAY)
        tournament.refresh_from_db()
    found = letters(start + DAY)
    assert set(found) == {"ann", "bob", "cat"}
    assert "place 1" in found["ann"].body
    rows = [line for line in found["ann"].body.splitlines() if line[:3] in ("1. ", "2. ", "3. ")]
    assert rows[0].startswith("1. ann – ")
    assert len(rows) == 3
    assert "ann" in html_of(found["ann"])
    assert "Votre tournoi est terminé" in found["bob"].subject
    assert letters(start + 2 * DAY) == {}


def test_too_few_players_are_told_and_so_is_who_opened_it(people, now):
    ann, bob, _ = people
    tournament = open_one(ann, now)
    join_all(tournament, [bob], now)
    run_tournaments(now=tournament.starts_at)
    found = letters(tournament.starts_at)
    assert set(found) == {"ann", "bob"}
    assert "too few players" in found["ann"].body
    assert "trop peu de joueurs" in found["bob"].body


def test_a_cancelled_one_is_told_to_those_who_had_joined(people, now):
    ann, *_ = people
    tournament = open_one(ann, now)
    join_all(tournament, people, now)
    cancel_tournament(tournament_id=tournament.pk, user=ann, now=now)
    found = letters(now)
    assert set(found) == {"bob", "cat"}
    assert "cancelled" in found["cat"].body


def test_a_letter_about_a_round_that_is_over_is_not_sent(people, now):
    ann, *_ = people
    tournament, start = started(people, now, "swiss", swiss_rounds=2)
    tell_tournaments(now=start)
    play_out(tournament, ann, start)
    assert tournament.rounds.get(number=1).ended_at
    mail.outbox.clear()
    send_due(now=start)
    assert not [one for one in mail.outbox if one.extra_headers["X-Pli-Kind"] == "tournament"]


def test_what_moderators_do_is_told_with_the_reason_in_the_readers_language(people, now):
    mo = a_moderator("mo")
    _ann, bob, _cat = people
    tournament, start = started(people, now, "round-robin")
    letters(start)
    entrant = tournament.entrants.get(user=bob)
    remove_from_tournament(entrant_id=entrant.pk, by=mo, why="two accounts", now=start)
    found = letters(start)
    assert set(found) == {"bob"}
    assert "Vous avez été exclu" in found["bob"].subject
    assert "two accounts" in found["bob"].body
    assert letters(start) == {}
    row = TournamentGame.objects.get(game__status="active")
    annul_game(game_id=row.game_id, by=mo, why="a program played", now=start)
    mail.outbox.clear()
    make_notices(now=start)
    send_due(now=start + DAY)
    of_moderators = [one for one in mail.outbox if one.extra_headers["X-Pli-Kind"] == "moderated"]
    told = [one for one in of_moderators if "a program played" in one.body]
    assert {one.to[0].partition("@")[0] for one in told} == {"ann", "cat"}
    assert all("annulled" in one.body for one in told)
    assert all("counts for nobody" in one.body for one in told)
    cancel_as_moderator(tournament_id=tournament.pk, by=mo, why="the wrong rules", now=start)
    found = letters(start)
    assert set(found) == {"ann", "cat"}
    for one in found.values():
        assert "is cancelled" in one.subject
        assert "the wrong rules" in one.body
        assert "the wrong rules" in html_of(one)
    assert "two accounts" not in found["cat"].body
    assert letters(start) == {}


def test_one_that_a_moderator_cancels_before_it_begins_is_told_to_its_opener_too(people, now):
    ann, bob, cat = people
    tournament = open_one(ann, now)
    join_all(tournament, [bob, cat], now)
    mo = a_moderator("mo")
    expelled = tournament.entrants.get(user=cat)
    remove_from_tournament(entrant_id=expelled.pk, by=mo, why="two accounts", now=now)
    assert set(letters(now)) == {"cat"}
    cancel_as_moderator(tournament_id=tournament.pk, by=mo, why="the wrong rules", now=now)
    found = letters(now)
    assert set(found) == {"ann", "bob"}
    assert "the wrong rules" in found["ann"].body
    assert "the wrong rules" in html_of(found["bob"])
