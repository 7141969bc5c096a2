"""`manage.py programs`: matches with their interval, and the tables."""

import pytest
from django.core.management import CommandError, call_command

from games.rules.matches import wilson
from games.rules.registry import program_for
from games.rules.solved import read_table


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
    ("arguments", "sentence"),
    [
        (("6", "1"), "“6” is no level: the levels are 1 to 5."),
        (("1", "alice"), "“alice” is no level: the levels are 1 to 5."),
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
