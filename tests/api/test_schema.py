"""The OpenAPI document, and requests that schemathesis makes up from it."""

import os
from copy import deepcopy
from datetime import timedelta

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections
from django.urls import reverse
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from ninja import NinjaAPI
from schemathesis.checks import CHECKS, load_all_checks

from accounts.programs import create_program
from accounts.server_time import server_now
from games.api.api import api
from games.api.limits import counts
from games.models import Invitation, Offer
from games.services.invitations import challenge
from games.services.ladders.challenges import challenge_player
from games.services.ladders.places import join_ladder
from games.services.offers import offer_end
from tests.api.checking import document
from tests.api.client import Api, token_for
from tests.factories import PersonFactory
from tests.games.play import begin, table, undone
from tests.games.tournaments.simulation import open_one

pytestmark = pytest.mark.django_db

EXAMPLES = int(os.environ.get("PLI_SCHEMA_EXAMPLES", "3"))
"""Requests for each route. `make chaos` asks for many more."""

load_all_checks()
HELD = CHECKS.get_by_names(
    [
        "not_a_server_error",
        "status_code_conformance",
        "content_type_conformance",
        "response_schema_conformance",
        "negative_data_rejection",
    ]
)


def test_the_document_is_served_as_openapi_3_1(db):
    served = Api(None).get("/openapi.json")
    assert served.status_code == 200
    assert served.data["openapi"].startswith("3.1")
    assert served.data["info"]["version"] == api.version


def test_the_document_is_made_once_in_a_process(client, monkeypatch):
    """Making it takes half a second, and anybody may ask for it."""
    api.get_openapi_schema()
    monkeypatch.delattr(NinjaAPI, "get_openapi_schema")
    assert client.get("/api/v1/openapi.json").status_code == 200
    assert client.get(reverse("api_reference")).status_code == 200


def test_every_route_is_described_in_words():
    for path, operations in document()["paths"].items():
        for method, operation in operations.items():
            assert operation.get("description"), (method, path)
            assert operation["x-scope"], (method, path)
            assert {401, 403, 429} <= operation["responses"].keys()


def test_names_of_operations_are_unique():
    names = [one["operationId"] for ops in document()["paths"].values() for one in ops.values()]
    assert len(names) == len(set(names))


# Requests that are made up -----------------------------------------------------------------------


@pytest.fixture(scope="module")
def site(django_db_setup, django_db_blocker):
    """Two people and a program with games of each state; all of it is taken back."""
    from django.db import transaction

    now = server_now()
    with django_db_blocker.unblock(), transaction.atomic():
        ann, bob = PersonFactory(username="ann"), PersonFactory(username="bob")
        robot = create_program(owner=bob, username="robot")
        games = [begin(ann, bob, now=now), begin(bob, ann, slug="taquet", now=now)]
        games += [begin(ann, bob, slug="morpiae", now=now), table(ann, now=now)]
        games += [table(bob, now=now), table(bob, slug="superpion", now=now)]
        offer_end(game_id=games[1].pk, user=bob, now=now)
        challenge(game_id=games[4].pk, by=bob, user=ann, now=now)
        for player in (bob, ann):
            join_ladder(rules_slug="morpion", user=player, now=now)
        called = challenge_player(rules_slug="morpion", user=ann, opponent=bob, now=now)
        tournament = open_one(ann, now)
        yield {
            "secrets": [token_for(ann, now=now), token_for(robot, now=now)],
            "id": [game.pk for game in games]
            + [Invitation.objects.get().pk, called.pk, tournament.pk],
            "offer_id": [Offer.objects.get().pk, 1],
        }
        transaction.set_rollback(True)


@pytest.fixture
def _connection_is_kept():
    """Leave the tests' transaction open, as Django's own client does."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


schema = schemathesis.openapi.from_dict(deepcopy(api.get_openapi_schema()))
OPERATIONS = {
    one.ok().definition.raw["operationId"]: one.ok() for one in schema.get_all_operations()
}


@pytest.mark.parametrize("name", sorted(OPERATIONS))
@pytest.mark.usefixtures("_connection_is_kept")
def test_no_request_that_is_made_up_is_answered_otherwise_than_described(name, site):
    operation, app = OPERATIONS[name], get_wsgi_application()

    @given(operation.as_strategy(), st.sampled_from(site["secrets"]), st.data())
    @settings(
        max_examples=EXAMPLES,
        phases=[Phase.generate],  # a request that fails is short enough
        deadline=timedelta(seconds=60),
        suppress_health_check=list(HealthCheck),
    )
    def ask(case, secret, data):
        counts.clear()
        for parameter in ("id", "offer_id"):
            if parameter in (case.path_parameters or {}):
                case.path_parameters[parameter] = data.draw(st.sampled_from(site[parameter]))
        headers = {"Authorization": f"Bearer {secret}", "Accept-Encoding": "identity"}
        with undone():
            case.call_and_validate(app=app, headers=headers, checks=HELD)

    ask()
