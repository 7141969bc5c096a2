"""Hints for moderators: each is found in a history made for it, and none in ordinary ones."""

import random
import subprocess
from datetime import timedelta
from pathlib import Path

import pytest
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.server_time import server_now
from games.models import Game, RatingChange, Seat, Turn
from games.queries.fair_play import HintKind, chance_of_at_least, fair_play_hints
from games.services.ladders.places import join_ladder
from notifications.exports.account_data import account_of
from tests.factories import PersonFactory
from tests.games.play import begin
from tests.staff_users import signed_in

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)
HINTS = "admin:games_rating_hints"


class History:
    """Finished rated games of two, an hour apart, written as rows and rated as any others."""

    def __init__(self):
        self.at = server_now() - timedelta(days=100)
        self.games = []

    def play(self, winner, loser, *, turns=9, ending="line", is_drawn=False, sides=0):
        """Add a game; `ending` is why it is over, after so many turns of both."""
        self.at += HOUR
        self.games.append((winner, loser, turns, ending, is_drawn, sides, self.at))

    def give(self, winner, loser):
        """Add a game that its loser resigns after two turns of each."""
        self.play(winner, loser, turns=4, ending="resigned")

    def write(self):
        """Write the games and rate them; return them in their order."""
        common = {"rules_slug": "morpion", "status": "finished", "is_rated": True}
        games = Game.objects.bulk_create(
            Game(
                creator=winner,
                allowance=HOUR,
                created_at=at,
                started_at=at,
                ended_at=at,
                ending=ending,
                turn_number=turns,
                **common,
            )
            for winner, _loser, turns, ending, _drawn, _sides, at in self.games
        )
        seats, entries = [], []
        for game, (winner, loser, _turns, _ending, is_drawn, sides, at) in zip(
            games, self.games, strict=True
        ):
            for user, place in ((winner, 1), (loser, 1 if is_drawn else 2)):
                number = (place - 1 + sides) % 2 if not is_drawn else int(user == loser)
                of_game = {"game": game, "ended_at": at}
                seats.append(Seat(number=number, user=user, place=place, **of_game))
                entries.append(
                    Turn(
                        game=game,
                        number=number + 1,
                        seat=number,
                        player=user,
                        notation=str(number + 1),
                        played_at=at,
                        via="web",
                    )
                )
        Seat.objects.bulk_create(seats)
        Turn.objects.bulk_create(entries)
        call_command("ratings", "rebuild", verbosity=0)
        return [game.pk for game in games]


def crowd(count, name="c"):
    return [PersonFactory(username=f"{name}{number}") for number in range(count)]


def settle(history, person, others, share, count=24):
    """Let a person play these others and win so much of it, so that the rating is settled."""
    for number in range(count):
        other = others[number % len(others)]
        wins = (number * share) % 1 + share >= 1
        history.play(*((person, other) if wins else (other, person)))


def signed_in_at(ip, *users, browser="Firefox on Linux"):
    for user in users:
        UserSession.objects.create(
            user=user, ip=ip, user_agent=browser, session_key=f"{ip}{user.pk}{browser}", data={}
        )
    UserSession.objects.update(last_seen_at=server_now())


@pytest.fixture
def found(mo):
    """Return what finds the hints, by kind and names."""

    def find():
        hints = fair_play_hints(mo, now=server_now())
        return {(one.kind.value, *(str(person) for person in one.people)): one for one in hints}

    return find


def test_accounts_at_one_address_are_a_hint_when_they_meet(found, ann, bob, cat, mo):
    signed_in_at("10.1.1.1", ann, bob)
    signed_in_at("10.1.1.2", ann, bob, browser="Safari on iPhone")
    signed_in_at("10.1.1.2", cat, browser="Chrome on Windows")
    office = crowd(5)
    signed_in_at("10.1.1.9", *office)
    assert found() == {}  # nobody has met
    history = History()
    history.play(ann, bob)
    history.play(office[0], office[1])
    numbers = history.write()
    for person in (bob, cat, *office[:2]):
        join_ladder(rules_slug="morpion", user=person, now=server_now())
    hints = found()
    assert set(hints) == {("shared", "ann", "bob"), ("shared", "bob", "cat")}
    figures = " ".join(hints["shared", "ann", "bob"].figures)
    assert "sessions at 2 common addresses" in figures
    assert "alike in 2 cases" in figures
    assert "1 game against" in figures
    assert hints["shared", "ann", "bob"].games == (numbers[0],)
    assert "1 season, tournament or ladder" in " ".join(hints["shared", "bob", "cat"].figures)
    # Who looks is not among what they see.
    assert not [one for one in fair_play_hints(bob, now=server_now()) if bob in one.people]
    assert mo not in [ann, bob]


def test_games_that_are_given_to_the_same_player_again_and_again(found, ann, bob, cat):
    history = History()
    others = crowd(6)
    for number in range(4):
        history.give(ann, bob)
        history.play(others[number], ann)
        history.play(cat, others[number])
    quitter = PersonFactory(username="quitter")  # gives up everywhere, and nobody an advantage
    for opponent in [cat] * 4 + others:
        history.give(opponent, quitter)
    numbers = history.write()
    hints = {key: one for key, one in found().items() if key[0] == "collusion"}
    assert set(hints) == {("collusion", "bob", "ann")}
    assert hints["collusion", "bob", "ann"].games == tuple(numbers[:12:3])
    assert "4 games" in hints["collusion", "bob", "ann"].figures[0]


def test_two_who_take_turns_in_giving_up(found, ann, bob, cat):
    history = History()
    for number in range(6):
        history.give(*((ann, bob) if number % 2 else (bob, ann)))
        history.give(*((ann, cat) if number in (0, 3, 4) else (cat, ann)))
    numbers = history.write()
    alternating = [one for one in found().values() if "took turns" in one.figures[0]]
    assert [one.games for one in alternating] == [tuple(numbers[::2])]


def test_a_stronger_player_who_loses_to_the_same_weaker_one(found, ann, bob):
    history = History()
    others = crowd(8)
    settle(history, ann, others, 0.9, count=40)
    settle(history, bob, others, 0.3, count=40)
    for _ in range(7):
        history.play(bob, ann)
    numbers = history.write()
    hints = found()
    assert set(hints) == {("collusion", "bob", "ann")}
    hint = hints["collusion", "bob", "ann"]
    assert hint.games == tuple(numbers[-7:])
    assert "won 7 of 7 games" in hint.figures[0]


def test_who_loses_on_purpose_and_then_beats_stronger_ones(found, ann, bob):
    history = History()
    others = crowd(8)
    for person in (ann, bob):
        settle(history, person, others, 0.8, count=40)
    for one in others:
        for _ in range(2):
            history.give(one, ann)
            history.give(one, bob)  # bob loses heart, and plays no more
    for number in range(8):
        history.play(ann, others[number])
    history.write()
    hints = {key: one for key, one in found().items() if key[0] == "sandbagging"}
    assert set(hints) == {("sandbagging", "ann")}
    figures = hints["sandbagging", "ann"].figures
    assert "16 rated games were given up" in figures[0]
    assert "The rating fell from" in figures[1]
    assert len(hints["sandbagging", "ann"].games) == 16


def test_who_was_rated_low_by_quick_losses_and_then_wins_above_it(found, ann):
    history = History()
    others = crowd(10)
    for one in others:
        settle(history, one, crowd(3, "weak"), 0.9, count=9)
    for one in others * 3:
        history.give(one, ann)
    for one in others[:8]:
        history.play(ann, one)
    history.write()
    figures = found()["sandbagging", "ann"].figures
    assert any("8 of 8 games were won" in one for one in figures)


@pytest.mark.slow
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_ordinary_players_are_in_no_hint(found, seed):
    """Strengths differ, some resign early, some know each other well, some come and go."""
    chance = random.Random(seed)
    people = crowd(20)
    strength = {one.pk: chance.gauss(1500, 200) for one in people}
    history = History()
    for number in range(600):
        if number % 3:
            one, other = chance.sample(people, 2)
        else:  # neighbours meet more often than others
            at = chance.randrange(len(people) - 1)
            one, other = people[at : at + 2]
        likely = 1 / (1 + 10 ** ((strength[other.pk] - strength[one.pk]) / 400))
        winner, loser = (one, other) if chance.random() < likely else (other, one)
        ending, turns = chance.choice([("line", 9), ("resigned", 12), ("timeout", 9)])
        if chance.random() < 0.03:
            ending, turns = "resigned", 4
        history.play(
            winner,
            loser,
            turns=turns,
            ending=ending,
            is_drawn=chance.random() < 0.1,
            sides=number % 2,
        )
    history.write()
    assert RatingChange.objects.count() == 1200
    assert found() == {}


def test_the_number_of_queries_depends_on_nothing(mo, ann, bob, cat):
    def count():
        with CaptureQueriesContext(
            connection,
        ) as made:
            hints = fair_play_hints(mo, now=server_now())
        return len(made), len(hints)

    empty, _ = count()
    history = History()
    for group in (crowd(4, "x"), crowd(4, "y"), [ann, bob, cat]):
        signed_in_at(f"10.2.2.{group[0].pk % 250}", *group)
        for number in range(7):
            history.give(group[0], group[1])
            history.give(group[2], group[0] if number % 2 else group[1])
            history.play(group[1], group[2])
    history.write()
    full, hints = count()
    assert hints > 5
    assert empty <= full <= 12


def test_the_chance_of_wins_is_that_of_all_ways_to_win():
    assert chance_of_at_least(0, [0.3, 0.4]) == pytest.approx(1)
    assert chance_of_at_least(1, [0.3, 0.4]) == pytest.approx(1 - 0.7 * 0.6)
    assert chance_of_at_least(2, [0.3, 0.4]) == pytest.approx(0.12)
    assert chance_of_at_least(3, [0.3, 0.4]) == 0


def test_moderators_see_hints_with_games_and_players_see_none_of_it(client, ann, bob):
    signed_in_at("10.1.1.1", ann, bob)
    history = History()
    for _ in range(4):
        history.give(ann, bob)
    (number, *_) = history.write()
    address = reverse(HINTS)
    signed_in(client, "moderator")
    page = client.get(address).content.decode()
    for said in ("no proof", "10.1.1.1", "One person with two accounts?", "Results agreed on?"):
        assert (said in page) is (said != "10.1.1.1")
    assert reverse("admin:games_game_change", args=[number]) in page
    assert address in client.get(reverse("admin:games_rating_changelist")).content.decode()
    words = ["Hints about fair play", *(kind.label for kind in HintKind), "common address"]
    client.force_login(bob)
    assert client.get(address).status_code in (302, 403)
    running = begin(ann, bob, now=server_now())
    api = ["/api/v1/me", "/api/v1/games", f"/api/v1/games/{running.pk}"]
    pages = ["/", f"/games/{running.pk}/", "/players/ann/", "/players/bob/", "/tournaments/"]
    pages += [f"/games/{running.pk}/replay/", "/ladders/morpion/", "/settings/sign-ins/", *api]
    for one in pages:
        said = client.get(one, follow=True).content.decode()
        assert not [word for word in words if str(word) in said], one
    exported = str(account_of(bob))
    assert not [word for word in words if str(word) in exported]


def test_only_the_admin_uses_the_hints():
    """No page, mail, API or export can show what it does not import."""
    names = subprocess.run(
        ["git", "grep", "-l", "fair_play", "--", "*.py"],
        cwd=settings.BASE_DIR,
        check=True,
        capture_output=True,
        text=True,
    ).stdout.split()
    users = {name for name in names if not name.startswith("tests/")}
    assert users <= {"games/queries/fair_play.py", "games/moderation/admin/competition.py"}
    assert Path(settings.BASE_DIR, "games/queries/fair_play.py").exists()
