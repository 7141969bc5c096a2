"""The accounts of programs: made and deleted by their owner, and gone with them."""

import re
from http import HTTPStatus

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import Program, User
from accounts.programs import MOST_PROGRAMS, create_program, programs_of
from accounts.server_time import server_now
from games import program_errors
from games.clock.time_control import per_turn
from games.models import Terms
from games.services.clock.timeouts import claim_seat
from games.services.deadlines import time_out_due
from games.services.endings import resign
from games.services.invitations import Opponent, ask_rematch, propose
from games.services.tables import join_table
from notifications.deletion.deleting import delete_due_accounts
from tests.api.client import code_of
from tests.games.multiplayer import some_turn
from tests.games.play import DAY, begin, fresh, play, refused, table
from tests.permissions.asking import sign_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def owner_page(cat):
    client = Client()
    sign_in(client, cat)
    return client


def test_a_program_is_made_on_the_page_and_nobody_can_sign_in_to_it(owner_page, cat):
    made = owner_page.post("/settings/programs/new/", {"username": "robot"})
    assert made.status_code == HTTPStatus.FOUND
    robot = User.objects.get(username="robot")
    assert (robot.owner, robot.is_bot, robot.has_usable_password()) == (cat, True, False)
    assert not robot.can_get_mail
    assert "robot" in owner_page.get("/settings/programs/").content.decode()
    for name in ("robot", "Admin", "a b"):
        again = owner_page.post("/settings/programs/new/", {"username": name})
        assert again.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert Program.objects.count() == 1


def test_there_are_not_more_programs_than_the_limit(owner_page, cat):
    for number in range(MOST_PROGRAMS):
        create_program(owner=cat, username=f"robot-number-{number}")
    page = owner_page.post("/settings/programs/new/", {"username": "one-more"})
    assert page.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert Program.objects.count() == MOST_PROGRAMS


def test_the_owner_says_on_the_page_what_it_accepts(owner_page, robot, as_robot, as_ann):
    sent = {"games": ["taquet"], "shortest": 3600, "longest": 86_400}
    sent |= {"most_games": 5, "most_per_person": 2, "is_open": "on"}
    saved = owner_page.post(f"/settings/programs/{robot.pk}/", sent)
    assert saved.status_code == HTTPStatus.FOUND
    accepts = as_robot.get("/me").data["accepts"]
    assert (accepts["games"], accepts["shortest"], accepts["most_games"]) == (["taquet"], 3600, 5)
    wrong = owner_page.post(f"/settings/programs/{robot.pk}/", sent | {"most_per_person": 9})
    assert wrong.status_code == HTTPStatus.UNPROCESSABLE_ENTITY


def test_the_page_keeps_what_it_does_not_ask(owner_page, robot, as_robot):
    as_robot.post("/me/accepts", {"options": {"morpiae": {"hints": [False]}}})
    sent = {"is_open": "on", "shortest": 300, "longest": 86_400}
    sent |= {"most_games": 5, "most_per_person": 2}
    assert owner_page.post(reverse("program_settings", args=[robot.pk]), sent).status_code == 302
    assert as_robot.get("/me").data["accepts"]["options"] == {"morpiae": {"hints": [False]}}


def test_everybody_sees_whose_program_it_is(client, robot, cat):
    page = client.get("/people/robot/").content.decode()
    assert "a program" in page
    assert cat.get_absolute_url() in page


def test_a_deleted_program_resigns_and_its_token_no_longer_works(
    owner_page, robot, as_robot, ann, now
):
    game = begin(robot, ann, now=now)
    owner_page.post(f"/settings/programs/{robot.pk}/delete/")
    assert code_of(as_robot.get("/me")) == (401, "UnknownToken")
    delete_due_accounts(now=server_now())
    assert fresh(game).ending == "resigned"
    robot.refresh_from_db()
    assert robot.is_former
    assert not robot.is_played_here


def test_programs_go_with_their_owner(cat, robot, ann, now):
    game = begin(robot, ann, now=now)
    User.objects.filter(pk=cat.pk).update(deletion_due_at=now)
    delete_due_accounts(now=now)
    delete_due_accounts(now=now)
    robot.refresh_from_db()
    assert robot.is_former
    assert fresh(game).ending == "resigned"
    assert not programs_of(cat).exists()


def test_the_page_drops_what_is_no_longer_installed(owner_page, robot, as_robot):
    options = {"draughts": {"flying": [True]}, "morpiae": {"gone": [1], "hints": [False]}}
    Program.objects.filter(user=robot).update(options=options)
    sent = {"is_open": "on", "shortest": 300, "longest": 86_400}
    sent |= {"most_games": 5, "most_per_person": 2}
    assert owner_page.post(reverse("program_settings", args=[robot.pk]), sent).status_code == 302
    assert as_robot.get("/me").data["accepts"]["options"] == {"morpiae": {"hints": [False]}}


def locked_by(work):
    """Return the keys of the users whose rows a piece of work locks, in the order of the locks."""
    with CaptureQueriesContext(connection) as asked:
        work()
    found = (re.search(r"FROM accounts_user WHERE id = (\d+)", one["sql"]) for one in asked)
    return list(dict.fromkeys(int(one[1]) for one in found if one))


@pytest.mark.parametrize("is_reversed", [False, True])
def test_players_are_locked_in_one_order(cat, ann, now, is_reversed):
    """Two programs that join each other's tables would wait for each other otherwise."""
    pair = [create_program(owner=one, username=f"of-{one.username}") for one in (cat, ann)]
    one, two = reversed(pair) if is_reversed else pair
    opened = table(one, now=now)
    joined = locked_by(lambda: join_table(game_id=opened.pk, user=two, now=now))
    assert joined == sorted({one.pk, two.pk})
    game = fresh(opened)
    resign(game_id=game.pk, user=one, now=now)
    rematch = locked_by(lambda: ask_rematch(game_id=game.pk, user=one, now=now))
    assert rematch == sorted({one.pk, two.pk})
    asked = locked_by(
        lambda: propose(
            creator=one,
            rules_slug="taquet",
            options={},
            terms=Terms(per_turn(DAY)),
            opponent=Opponent("player", two.username),
            is_public=False,
            creator_seat=0,
            now=now,
        )
    )
    assert asked == sorted({one.pk, two.pk})


@pytest.mark.parametrize("owner", ["leaves", "is barred", "is gone"])
def test_a_program_begins_nothing_while_its_owner_may_not(cat, robot, ann, now, owner):
    opened = table(robot, now=now)
    changed = {
        "leaves": {"deletion_due_at": now + DAY},
        "is barred": {"barred_until": now + DAY},
        "is gone": {"is_active": False},
    }
    User.objects.filter(pk=cat.pk).update(**changed[owner])
    robot = User.objects.get(pk=robot.pk)
    with refused(program_errors.ProgramIsClosed, "robot", status=409):
        join_table(game_id=opened.pk, user=ann, now=now)
    with refused(program_errors.ProgramIsClosed, "robot", status=409):
        table(robot, now=now)


def test_a_game_is_not_rated_once_an_owner_plays_beside_their_program(cat, robot, ann, bob, now):
    terms = Terms(per_turn(2 * DAY), on_timeout="substitute", is_rated=True)
    game = table(robot, now=now, slug="superpion", options={"variant": "three"}, terms=terms)
    for user in (ann, bob):
        join_table(game_id=game.pk, user=user, now=now)
    assert fresh(game).is_rated
    play(fresh(game), robot, some_turn(fresh(game)), now=now)
    play(fresh(game), ann, some_turn(fresh(game)), now=now)
    play(fresh(game), bob, some_turn(fresh(game)), now=now)
    play(fresh(game), robot, some_turn(fresh(game)), now=now)
    late = now + 3 * DAY
    assert time_out_due(now=late) == 1
    claim_seat(game_id=game.pk, user=cat, now=late)
    assert not fresh(game).is_rated
