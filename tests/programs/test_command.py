"""`manage.py programs`: matches with their interval, and the tables."""

import pytest
from django.core.management import CommandError, call_command

from accounts.models import Program
from accounts.programs import create_program
from accounts.server_time import server_now
from games import program_errors
from games.clock.time_control import SHORTEST_ALLOWANCE
from games.management.commands import programs as command
from games.models import Game
from games.rules.base import Outcome
from games.rules.matches import Score, wilson
from games.rules.registry import program_for
from games.rules.solved import read_table
from games.services.endings import resign
from games.services.program_matches import start_match_game
from tests.factories import PersonFactory
from tests.games.moderating import lose_on_time


def test_a_match_prints_the_score_with_its_interval(capsys):
    call_command("programs", "match", "5", "1", "--game", "morpion", "--games", "20")
    first, *times = capsys.readouterr().out.splitlines()
    assert first.startswith("level 5 (Knows every position) against level 1 (Knows the rules): ")
    assert "of 20 games" in first
    assert first.endswith(" 0 lost")
    assert all("s CPU a turn" in line for line in times)
    assert len(times) == 2


def test_the_same_match_has_the_same_score(capsys):
    outs = []
    for _ in range(2):
        call_command("programs", "match", "3", "2", "--game", "taquet", "--games", "6")
        outs.append(capsys.readouterr().out.splitlines()[0])
    assert outs[0] == outs[1]


@pytest.mark.parametrize(
    ("places", "seats", "points", "ahead"),
    [
        ((1, 2), [0], 1, 1),
        ((1, 1), [1], 0.5, 0.5),
        ((1, 2, 1, 2), [0, 2], 1, 1),
        ((1, 1, 1, 1), [1, 3], 0.5, 0.5),
        ((1, 2, 3, 4), [1], 0, 2 / 3),
        ((1, 2, 2, 4), [2], 0, 1 / 2),
        ((1, 3, 1, 4), [2], 1 / 2, 5 / 6),
    ],
)
def test_a_score_counts_points_and_opponents_left_behind(places, seats, points, ahead):
    score = Score()
    score.add(Outcome(places, None, "points"), seats)
    assert (score.points, score.ahead) == pytest.approx((points, ahead))


def test_a_score_says_how_many_of_several_were_left_behind():
    of_two, of_four = Score(), Score()
    of_two.add(Outcome((1, 2), None, "points"), [0])
    for places in ((2, 1, 3, 4), (1, 2, 3, 4)):
        of_four.add(Outcome(places, None, "points"), [0])
    assert "others" not in str(of_two)
    low, high = (round(100 * bound) for bound in wilson(5 / 3, 2))
    assert str(of_four).endswith(f" 1 lost; ahead of 83 % [{low}-{high}] of the others")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("6", "1"), "“6” is no level: the levels are 1 to 5."),
        (("1", "alice"), "Name two levels, or the accounts of two programs."),
        (("1", "2", "--game", "chess"), "There is no game “chess”."),
        (("1", "2", "--games", "0"), "A match has one game at least."),
        (("1", "2", "-o", "size"), "Write the option “size” with its value: size=VALUE."),
        (("1", "2", "-o", "size=3"), "This game has no option “size”."),
    ],
)
def test_a_match_that_cannot_be_is_refused(arguments, sentence):
    with pytest.raises(CommandError, match=sentence.replace("(", r"\(")):
        call_command("programs", "match", *arguments)


def test_tables_writes_the_files_that_are_kept(capsys, monkeypatch, tmp_path):
    kept = {}
    for slug in ("morpion", "taquet"):
        program = program_for(slug)
        kept[slug] = (program.table_file, tmp_path / slug)
        monkeypatch.setattr(type(program), "table_file", tmp_path / slug)
    call_command("programs", "tables")
    for file, written in kept.values():
        assert read_table(written) == read_table(file)
    assert capsys.readouterr().out.count(" won and lost positions") == 2


@pytest.mark.parametrize(
    ("points", "games", "low", "high"),
    # R. Newcombe, "Two-sided confidence intervals for the single proportion" (1998), table I.
    [
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_the_interval_is_the_published_one(points, games, low, high):
    assert wilson(points, games) == pytest.approx((low, high), abs=0.00006)


# Between accounts --------------------------------------------------------------------------------


@pytest.fixture
def robots(db):
    """The accounts of two programs."""
    owner = PersonFactory(username="owner")
    return [create_program(owner=owner, username=name) for name in ("one-bot", "two-bot")]


def match(*arguments):
    call_command("programs", "match", "one-bot", "two-bot", "--game", "morpion", *arguments)


@pytest.fixture
def resigning(monkeypatch):
    """While the match waits, nought resigns each game, so that cross wins it."""

    def resign_running(seconds):
        game = Game.objects.running().get()
        resign(game_id=game.pk, user=game.seats.get(number=1).user, now=server_now())

    monkeypatch.setattr(command.time, "sleep", resign_running)


def test_accounts_begin_in_turn_and_their_score_is_counted(robots, resigning, capsys):
    match("--games", "3")
    begun = [game.creator.username for game in Game.objects.order_by("pk")]
    assert begun == ["one-bot", "two-bot", "one-bot"]
    said = capsys.readouterr().out
    assert said.startswith("one-bot against two-bot: 67 % [")
    assert said.endswith(" of 3 games: 2 won, 0 drawn, 1 lost\n")


def test_a_match_goes_on_from_its_first_game(robots, resigning, capsys):
    match("--games", "1")
    match("--games", "1")
    second = Game.objects.latest("pk")
    match("--games", "2", "--from", str(second.pk))
    assert Game.objects.count() == 3
    assert " of 2 games: 1 won, 0 drawn, 1 lost" in capsys.readouterr().out.splitlines()[-1]


def test_a_match_that_is_stopped_says_how_to_go_on(robots, monkeypatch):
    def interrupt(seconds):
        raise KeyboardInterrupt

    monkeypatch.setattr(command.time, "sleep", interrupt)
    with pytest.raises(CommandError, match=r"Stopped\. To go on: .* --from \d+\."):
        match("--games", "2")
    assert Game.objects.get().status == Game.Status.ACTIVE


def test_a_match_ends_with_a_game_that_nobody_begins(robots, monkeypatch):
    def abort_running(_seconds):
        lose_on_time(Game.objects.running().get(), now=server_now())

    monkeypatch.setattr(command.time, "sleep", abort_running)
    with pytest.raises(CommandError, match="Nobody plays in game"):
        match("--games", "2")
    assert Game.objects.count() == 1


def test_a_match_does_not_wait_for_ever(robots, monkeypatch):
    monkeypatch.setattr(command, "GRACE", -300.0)
    with pytest.raises(CommandError, match=r"Nobody plays in game \d+: do both programs"):
        match("--games", "2")


def test_a_program_that_accepts_no_games_plays_no_match(robots):
    Program.objects.filter(user=robots[1]).update(is_open=False)
    with pytest.raises(CommandError, match="two-bot accepts no new games now"):
        match()
    assert not Game.objects.exists()


@pytest.mark.parametrize(
    ("names", "sentence"),
    [
        (("one-bot", "nobody"), "There is no program with an account “nobody”."),
        (("owner", "one-bot"), "There is no program with an account “owner”."),
        (("one-bot", "one-bot"), "A program plays no match against itself."),
        (("one-bot", "3"), "Name two levels, or the accounts of two programs."),
    ],
)
def test_who_can_play_no_match_is_refused(robots, names, sentence):
    with pytest.raises(CommandError, match=sentence):
        call_command("programs", "match", *names)
    assert not Game.objects.exists()


def test_only_programs_are_seated_for_a_match(robots):
    with pytest.raises(program_errors.NotAProgram):
        start_match_game(
            programs=[robots[0], robots[0].owner], rules_slug="morpion", options={}, number=0,
            allowance=SHORTEST_ALLOWANCE, now=server_now(),
        )  # fmt: skip
    assert not Game.objects.exists()
