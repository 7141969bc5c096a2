"""Every route of the API, asked by everybody with a token: api_rows.py."""

import json

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import Scope
from games.api.api import api
from tests.api.client import token_for
from tests.games.play import undone
from tests.permissions.api_rows import ROWS, WHO
from tests.sample_site import SAID_TO_ONESELF

pytestmark = pytest.mark.django_db


def described():
    """Return name and method of every route in the document."""
    found = set()
    for router in api._get_bound_routers():
        for view in router.path_operations.values():
            for operation in view.operations:
                found |= {(operation.url_name or view.url_name, one) for one in operation.methods}
    return found


def test_every_route_has_a_row_and_every_row_a_route():
    assert {(row.name, row.method) for row in ROWS} == described()


@pytest.fixture(scope="module")
def secrets(site):
    now = timezone.now()
    return {one: token_for(getattr(site, one), now=now) for one in WHO}


def ask(row, site, secret):
    headers = {"Authorization": f"Bearer {secret}"} if secret else {}
    where = reverse(f"api:{row.name}", args=row.blanks(site))
    client = Client(raise_request_exception=False)
    with undone():
        if row.method == "GET":
            return client.get(where, headers=headers)
        body = json.dumps(row.body)
        return client.post(where, body, content_type="application/json", headers=headers)


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_who_is_answered_how(row, site, secrets):
    answers = {one: ask(row, site, secrets[one]) for one in WHO}
    found = tuple(answer.status_code for answer in answers.values())
    assert found == row.statuses, answers["ann"].content[:300]
    for one, answer in answers.items():
        assert one == "ann" or SAID_TO_ONESELF.encode() not in answer.content


def test_without_its_scope_or_a_token_no_route_answers(site):
    now = timezone.now()
    others = {
        scope: token_for(site.ann, now=now, scopes=[one for one in Scope.values if one != scope])
        for scope in Scope.values
    }
    for row in ROWS:
        refused = ask(row, site, others[row.scope])
        assert (refused.status_code, refused.json()["code"]) == (403, "MissingScope"), row
        assert ask(row, site, None).status_code == 401, row
