"""Nobody reads in a game that is over, or tries in a lesson, what helps in a running game."""

import pytest

from accounts.programs import create_program
from games import program_errors
from games.models import Game, Judgement
from games.queries.lessons import judgements_of
from games.services.endings import resign
from games.services.judging import judge_due
from games.services.lessons import ask_teacher, play_again
from tests.games.play import begin, fresh, play_all, refused
from tests.games.programs.test_lessons import LINE

pytestmark = pytest.mark.django_db


@pytest.fixture
def over(ann, bob, now):
    """Return a game of Morpion that is over."""
    return play_all(begin(ann, bob, now=now), LINE, now=now)


@pytest.fixture
def robot(over, ann, now):
    """Let a teacher judge the game, and return a program of ann's."""
    ask_teacher(game_id=over.pk, user=ann, now=now)
    judge_due(now=now)
    return create_program(owner=ann, username="robot")


def read_by(game, viewer):
    return list(judgements_of(fresh(game), viewer))


def test_nobody_reads_what_helps_in_a_running_game(client, over, robot, ann, bob, cat, now):
    everything = list(range(1, len(LINE) + 1))
    running = begin(ann, cat, now=now)
    play_all(running, LINE[:1], now=now)
    assert read_by(over, ann) == everything  # how games begin helps nobody
    play_all(running, LINE[1:3], now=now)
    for one in (ann, robot, cat):
        assert read_by(over, one) == [1, 2]  # what leads to the position tells of it, too
    assert read_by(over, bob) == everything
    client.force_login(ann)
    page = client.get(over.get_absolute_url()).text
    assert "would help you in one of your running games" in page
    resign(game_id=running.pk, user=cat, now=now)
    assert read_by(over, ann) == everything
    assert "would help you" not in client.get(over.get_absolute_url()).text


def test_a_running_game_is_known_however_it_is_turned(over, robot, ann, cat, now):
    turned = dict(zip("123456789", "741852963", strict=True))
    play_all(begin(ann, cat, now=now), [turned[cell] for cell in LINE[:3]], now=now)
    assert read_by(over, ann) == [1, 2]


def test_the_owner_of_a_program_reads_nothing_that_helps_it(over, robot, ann, cat, now):
    play_all(begin(robot, cat, now=now), LINE[:4], now=now)
    assert read_by(over, ann) == [1, 2, 3]


def test_games_that_are_not_solved_are_known_by_their_turns(ann, bob, cat, now):
    turns = ["55", "51", "15", "59"]
    over = play_all(begin(ann, bob, now=now, slug="super-morpion"), turns, now=now)
    resign(game_id=over.pk, user=bob, now=now)
    for number in range(1, 5):
        Judgement.objects.create(
            game=over, number=number, kept=True, best="55", is_exact=False, value_before=0.1,
            value_after=0.1,
        )  # fmt: skip
    Game.objects.filter(pk=over.pk).update(judged_turns=4)
    other = begin(ann, cat, now=now, slug="super-morpion")
    play_all(other, turns[:2], now=now)
    assert read_by(over, ann) == [1]
    play_all(other, ["11"], now=now)
    assert read_by(over, ann) == [1, 2, 3, 4]


def test_nobody_plays_again_what_helps_in_a_running_game(over, ann, cat, partner, now):
    running = begin(ann, cat, now=now)
    play_all(running, LINE[:3], now=now)
    said = "This would help you in one of your running games."
    for turn in (2, 3, 5):
        with refused(program_errors.HelpsElsewhere, said, status=403):
            play_again(game=over, turn=turn, user=ann, level=5, now=now)
    assert play_again(game=over, turn=0, user=ann, level=5, now=now).is_lesson
    resign(game_id=running.pk, user=cat, now=now)
    assert play_again(game=over, turn=3, user=ann, level=5, now=now).is_lesson
