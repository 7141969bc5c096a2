"""A person chooses a program's level, by page and by mail, and sees it at the game."""

import re
from dataclasses import replace

import pytest
from django.urls import reverse
from django.utils import timezone

from games import errors
from games.models import Game
from games.rules.registry import all_rules, program_for
from games.services.invitations import ask_partner
from games.services.levels import levels_of
from games.services.thinking import play_for_bots
from games.services.thinking_time import charge
from notifications.mail_parser import NewCommand, parse_command
from tests.games.play import fresh, refused, table

pytestmark = pytest.mark.django_db


def level_of_the_program():
    return Game.objects.get().seats.get(user__is_bot=True).level


def test_a_stranger_begins_a_game_at_the_chosen_level(client, partner):
    client.post(reverse("play_now"), {"game": "taquet", "level": "3"})
    assert level_of_the_program() == 3


def test_the_new_game_form_asks_for_the_level(client, ann, partner):
    client.force_login(ann)
    sent = {"game": "morpion", "whom": "partner", "days": "3", "level": "4", "creator_seat": ""}
    client.post(reverse("new_table"), sent)
    assert level_of_the_program() == 4


def test_a_program_is_asked_to_a_table_at_a_level(client, ann, partner):
    game = table(ann, now=timezone.now())
    client.force_login(ann)
    client.post(reverse("table_ask", args=[game.pk]), {"whom": "partner", "level": "2"})
    assert level_of_the_program() == 2


@pytest.mark.parametrize("level", [0, 6, 99])
def test_a_level_that_the_game_lacks_is_refused(ann, partner, now, level):
    game = table(ann, now=now)
    said = "The programs of this game have the levels 1 to 5."
    with refused(errors.NoSuchLevel, said, status=422):
        ask_partner(game_id=game.pk, by=ann, now=now, level=level)


def test_a_one_click_game_at_a_level_that_does_not_exist_is_refused(client, ann, partner):
    client.force_login(ann)
    answer = client.post(reverse("play_now"), {"game": "taquet", "level": "7"})
    assert answer.status_code == 422
    assert not Game.objects.exists()


def test_the_landing_page_and_the_form_name_the_levels_by_what_they_do(client, ann, partner):
    landing = client.get("/").content.decode()
    client.force_login(ann)
    home = client.get("/").content.decode()
    for rules in all_rules():
        form = client.get(reverse("new_table"), {"game": rules.slug}).content.decode()
        for level in levels_of(rules.slug):
            words = f"{level.number} – {level.name}"
            for html in (landing, home, form):
                assert words in html


def test_the_games_page_and_the_table_say_the_level(client, ann, partner):
    now = timezone.now()
    game = fresh(ask_partner(game_id=table(ann, now=now).pk, by=ann, now=now, level=3))
    client.force_login(ann)
    html = client.get(game.get_absolute_url()).content.decode()
    assert levels_of("morpion")[2].name in html
    assert html.count('class="player-level">' + levels_of("morpion")[2].name) == 1


def test_the_programs_profile_says_what_its_levels_do(client, ann, partner):
    html = client.get(partner.get_absolute_url()).content.decode()
    for rules in all_rules():
        for level in levels_of(rules.slug):
            assert level.name in html
            assert level.summary in html
    assert "do so for 5 minutes a day" in html  # for a guest, whom a click makes of a stranger
    client.force_login(ann)
    html = client.get(partner.get_absolute_url()).content.decode()
    assert "do so for 30 minutes a day" in html


def test_the_page_says_how_long_programs_think_and_when_that_is_used_up(
    client, ann, partner, monkeypatch
):
    now, program = timezone.now(), type(program_for("morpion"))
    slow = tuple(replace(level, seconds=30.0) for level in program.levels)
    monkeypatch.setattr(program, "levels", slow)
    game = ask_partner(game_id=table(ann, now=now, seat=1).pk, by=ann, now=now, level=5)
    client.force_login(ann)

    def said():
        html = client.get(game.get_absolute_url()).content.decode()
        return " ".join(re.search(r'game-program">(.*?)</p>', html, re.DOTALL)[1].split())

    assert said() == (
        "The program is choosing its turn. "
        "Programs can think for 30 minutes a day for your games; left today: 30 minutes."
    )
    charge([ann], 1800.0, now=now)
    play_for_bots(now=now)
    assert "and today’s time is used up. The program plays after" in said()


def test_a_game_between_people_says_nothing_of_programs(client, game, ann):
    client.force_login(ann)
    assert "game-program" not in client.get(game.get_absolute_url()).content.decode()


@pytest.mark.parametrize(
    ("line", "level", "terms"),
    [
        ("new taquet with bot level 3", 3, ()),
        ("new taquet with bot", 1, ()),
        ("New Taquet against a program, level 4, 3 days", 4, ("3 days",)),
        ("new super-morpion, 3 days, with the program level 2", 2, ("3 days",)),
        ("nouveau taquet avec un programme, niveau 5", 5, ()),
        ("nouveau taquet contre le programme de niveau 2, 3 jours", 2, ("3 jours",)),
    ],
)
def test_a_program_and_its_level_are_named_by_mail(line, level, terms):
    command = parse_command([line])[0]
    assert isinstance(command, NewCommand)
    assert (command.level, command.terms) == (level, terms)


@pytest.mark.parametrize("line", ["new taquet with bob", "new taquet with botanist", "new taquet"])
def test_other_opponents_are_no_program(line):
    assert parse_command([line])[0].level is None
