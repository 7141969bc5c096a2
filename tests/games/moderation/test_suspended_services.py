"""No service of players does anything for somebody who is suspended, banned, or closed."""

import importlib
import inspect
import pkgutil
from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import User
from games import errors, services
from games.clock.snoozes import Snooze
from games.clock.time_control import per_turn
from games.models import Game, Message, Offer, Terms
from games.plan_text import parse_plan
from games.services import invitations
from games.services.conduct.messages import say
from games.services.invitations import Opponent
from games.services.tables import create_link, token_of_link
from games.services.tournaments.entries import Plan
from tests.factories import StaffFactory
from tests.games.play import begin, table, unchanged, undone
from tests.suspensions import KEPT_OUT, closed

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

ACTORS = ("creator", "by", "reporter", "user")
"""How services call who acts; where there are two, the first does."""

BY_STAFF = ("moderation", "announcements", "maintenance", "log")
"""Modules of what staff does, whose pages are behind the admin's door."""

NOBODY_ACTS = {
    "games.services.tables.create_table",  # those who call it have asked, or a league or wish does
    "games.services.tables.new_table",  # the same
    "games.services.clock.undelivered_turns.freeze_undelivered",  # somebody was not reached
    "games.services.clock.undelivered_turns.resume_told",  # their mail was sent after all
    "games.services.tables.take_away",  # a ban takes its person away
}


def player_services():
    """Return every public service that takes somebody who acts, by its full name."""
    found = {}
    for module in pkgutil.walk_packages(services.__path__, f"{services.__name__}."):
        if set(BY_STAFF) & set(module.name.split(".")):
            continue
        for name, service in inspect.getmembers(importlib.import_module(module.name)):
            full = f"{module.name}.{name}"
            if name.startswith("_") or getattr(service, "__module__", "") != module.name:
                continue
            if inspect.isfunction(service) and full not in NOBODY_ACTS:
                named = inspect.signature(service).parameters.values()
                names = {one.name for one in named if one.kind is one.KEYWORD_ONLY}
                if names & set(ACTORS):
                    found[full] = service
    return found


SERVICES = player_services()


def test_the_services_are_found():
    assert len(SERVICES) >= 38
    assert {"games.services.turns.play_turn", "games.services.offers.accept_offer"} <= set(SERVICES)


@pytest.fixture
def everything(ann, bob, cat):
    """What the services need, by the names of their arguments."""
    now = timezone.now()
    StaffFactory(username="host", role="Hosts")
    running = begin(ann, bob, now=now)
    message = say(game_id=running.pk, user=bob, text="Hello", via=Message.Via.WEB, now=now)
    asked = invitations.challenge(game_id=table(bob, now=now).pk, by=bob, user=ann, now=now)
    return {
        "game_id": running.pk,
        "game": running,
        "level": 1,
        "is_open": True,
        "games": [],
        "shortest": timedelta(days=1),
        "longest": timedelta(days=7),
        "most_games": 5,
        "most_per_person": 2,
        "invitation_id": asked.pk,
        "challenge_id": 1,
        "message_id": message.pk,
        "now": now,
        "begins_at": now,
        "ends_at": now + timedelta(days=7),
        "of": bob,
        "person": bob,
        "partner": bob,
        "user": bob,
        "text": "5",
        "reason": "other",
        "kind": Offer.Kind.AGREED_END,
        "details": {},
        "days": 7,
        "day": now.date(),
        "pace": per_turn(timedelta(days=3)),
        "terms": Terms(per_turn(timedelta(days=3))),
        "delay": timedelta(hours=1),
        "seat_number": 1,
        "expected_turn": 0,
        "via": "web",
        "rules_slug": "morpion",
        "options": {},
        "opponent": Opponent("player", "cat"),
        "is_public": True,
        "creator_seat": 0,
        "email": "zoe@example.org",
        "vacation_id": 1,
        "days_off": [],
        "quiet_from": None,
        "quiet_until": None,
        "marks": [],
        "at_night": True,
        "automatic": True,
        "choice": Snooze.TOMORROW,
        "turn": 0,
        "parent_id": None,
        "node_id": 1,
        "planned_id": 1,
        "wish_id": 1,
        "lowest": None,
        "highest": None,
        "at_once": 1,
        "tournament_id": 1,
        "club_id": 1,
        "opponent_id": 2,
        "match_id": 1,
        "is_manager": True,
        "on": True,
        "name": "A club",
        "description": "",
        "plan": Plan("swiss", 8, now + timedelta(days=2)),
        "lines": [parse_plan("if 5 then 1")],
        "token": token_of_link(create_link(game_id=table(bob, now=now).pk, by=bob, now=now)),
    }


def test_every_service_refuses_suspended_users(everything, ann, subtests):
    """All in one test: what they need costs far more to make than their refusals."""
    for name, service in SERVICES.items():
        wanted = inspect.signature(service).parameters
        given = {key: value for key, value in everything.items() if key in wanted}
        actor = next(one for one in ACTORS if one in wanted)
        for kept_out in KEPT_OUT:
            with subtests.test(service=name, person=kept_out.__name__), undone():
                kept_out(ann, everything["now"])
                given[actor] = User.objects.get(pk=ann.pk)
                refusal = errors.AccountClosed if kept_out is closed else errors.Barred
                with unchanged(), pytest.raises(refusal):
                    service(**given)


def test_what_is_over_keeps_nobody_from_acting(everything, ann):
    """A suspension ends by itself."""
    game = Game.objects.get(pk=everything["game_id"])
    User.objects.filter(pk=ann.pk).update(barred_until=everything["now"])
    ann.refresh_from_db()
    now = everything["now"]
    assert say(game_id=game.pk, user=ann, text="Sorry", via=Message.Via.WEB, now=now)
