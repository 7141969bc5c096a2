"""Tokens: shown once, kept as hashes, for what they allow and no longer than they hold."""

from datetime import timedelta
from http import HTTPStatus

import pytest
from django.test import Client
from django.utils import timezone

from accounts.api_tokens import MOST_TOKENS, delete_old_answers
from accounts.models import ApiAnswer, ApiToken, Scope, SecurityEvent, User
from games.api.limits import A_MINUTE
from tests.api.client import Api, code_of, token_for
from tests.factories import GuestFactory
from tests.permissions.asking import sign_in

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)


def test_only_a_hash_is_kept(ann, now):
    secret = token_for(ann, now=now)
    assert secret.startswith("pli_")
    assert len(secret) > 40
    stored = ApiToken.objects.values().get()
    assert secret not in repr(stored)
    assert secret.removeprefix("pli_")[:12] not in repr(stored)


def test_without_a_token_nothing_is_answered(ann):
    for headers in ({}, {"Authorization": "Basic YTpi"}, {"Authorization": "Bearer"}):
        answer = Api(None, **headers).get("/me")
        assert code_of(answer) == (401, "NoToken")
        assert answer["WWW-Authenticate"].startswith("Bearer")
    assert code_of(Api("pli_nonsense").get("/me")) == (401, "UnknownToken")
    assert code_of(Api("é").get("/me")) == (401, "UnknownToken")


def test_a_session_is_no_token(ann):
    browser = Client()
    sign_in(browser, ann)
    answer = browser.get("/api/v1/me")
    assert answer.status_code == HTTPStatus.UNAUTHORIZED
    assert not answer.cookies
    assert "Pli-User" not in answer.headers


def test_a_token_needs_no_csrf(ann, now):
    api = Api(token_for(ann, now=now))
    api.client = Client(enforce_csrf_checks=True)
    assert api.post("/tables", {"game": "morpion", "pace": {"allowance": 86400}}).status_code == 200


def test_who_the_token_acts_for(ann, now):
    data = Api(token_for(ann, now=now)).get("/me").data
    assert (data["username"], data["is_program"], data["owner"]) == ("ann", False, None)
    assert data["scopes"] == Scope.values


@pytest.mark.parametrize("scope", Scope.values)
def test_a_token_does_what_its_scopes_allow_and_nothing_else(ann, game, now, scope):
    api = Api(token_for(ann, now=now, scopes=[scope]))
    asked = {
        "account:read": api.get("/me"),
        "games:read": api.get("/games"),
        "messages": api.get(f"/games/{game.pk}/messages"),
        "play": api.get(f"/games/{game.pk}/plans"),
        "tables": api.post(
            "/tables", {"game": "morpion", "pace": {"allowance": 86400}, "opponent": None}
        ),
    }
    for needed, answer in asked.items():
        if needed == scope:
            assert answer.status_code == HTTPStatus.OK
        else:
            assert code_of(answer) == (403, "MissingScope")
            assert answer.data["scope"] == needed
            assert needed in answer["WWW-Authenticate"]


def test_a_token_expires(ann, now):
    assert Api(token_for(ann, now=now, expires_at=now + HOUR)).get("/me").status_code == 200
    expired = Api(token_for(ann, now=now, expires_at=now)).get("/me")
    assert code_of(expired) == (401, "TokenExpired")


def test_a_revoked_token_no_longer_works_and_others_do(ann, now):
    first, second = Api(token_for(ann, now=now)), Api(token_for(ann, now=now))
    browser = Client()
    sign_in(browser, ann)
    oldest = ApiToken.objects.order_by("pk").first()
    assert browser.post(f"/settings/programs/tokens/{oldest.pk}/revoke/").status_code == 302
    assert code_of(first.get("/me")) == (401, "UnknownToken")
    assert second.get("/me").status_code == HTTPStatus.OK
    kinds = SecurityEvent.objects.filter(user=ann).values_list("kind", flat=True)
    assert {"token-made", "token-revoked"} <= set(kinds)


def test_nobody_revokes_the_token_of_somebody_else(ann, bob, now):
    token_for(bob, now=now)
    browser = Client()
    sign_in(browser, ann)
    token = ApiToken.objects.get()
    assert browser.post(f"/settings/programs/tokens/{token.pk}/revoke/").status_code == 404
    assert ApiToken.objects.exists()


def test_when_a_token_was_last_used_is_written_once_in_five_minutes(ann, now):
    api = Api(token_for(ann, now=now))
    api.get("/me")
    first = ApiToken.objects.get().last_used_at
    assert first is not None
    api.get("/me")
    assert ApiToken.objects.get().last_used_at == first
    ApiToken.objects.update(last_used_at=first - timedelta(minutes=6))
    api.get("/me")
    assert ApiToken.objects.get().last_used_at > first - timedelta(minutes=1)


def suspend(person, now):
    person.barred_until = now + HOUR
    person.save(update_fields=["barred_until"])


def test_who_may_not_act_has_no_api(ann, robot, as_robot, as_ann, cat, now):
    guest = GuestFactory()
    assert code_of(Api(token_for(guest, now=now)).get("/me")) == (403, "GuestsHaveNoApi")
    suspend(ann, now)
    assert code_of(as_ann.get("/me")) == (403, "Barred")
    assert as_robot.get("/me").status_code == HTTPStatus.OK
    suspend(cat, now)
    assert code_of(as_robot.get("/me")) == (403, "OwnerMayNotAct")
    ann.barred_until, ann.is_active = None, False
    ann.save()
    assert code_of(as_ann.get("/me")) == (403, "AccountClosed")


def test_too_many_requests_are_told_the_limit_and_what_is_left(as_ann, monkeypatch):
    monkeypatch.setitem(A_MINUTE, "reads", 3)
    left = [as_ann.get("/me")["RateLimit"].split(";")[:2] for _ in range(3)]
    answer = as_ann.get("/me")
    if answer.status_code == HTTPStatus.OK:  # the minute ended in between
        left = [as_ann.get("/me")["RateLimit"].split(";")[:2] for _ in range(2)]
        answer = as_ann.get("/me")
    else:
        assert left == [['"reads"', "r=2"], ['"reads"', "r=1"], ['"reads"', "r=0"]]
    assert code_of(answer) == (429, "TooManyRequests")
    assert answer.data["limit"] == "reads"
    assert (answer.data["most"], answer.data["left"]) == (3, 0)
    assert 0 < int(answer["Retry-After"]) == answer.data["retry_after"] <= 60
    assert answer["RateLimit-Policy"] == '"reads";q=3;w=60'


def test_a_token_that_may_not_act_uses_nothing_up(ann, as_ann, now, monkeypatch):
    monkeypatch.setitem(A_MINUTE, "reads", 1)
    narrow, old = token_for(ann, now=now, scopes=["messages"]), token_for(ann, now=now)
    ApiToken.objects.filter(pk=ann.api_tokens.latest("pk").pk).update(expires_at=now)
    for _ in range(3):
        assert code_of(Api(narrow).get("/me")) == (403, "MissingScope")
        assert code_of(Api(old).get("/me"))[0] == HTTPStatus.UNAUTHORIZED
    assert as_ann.get("/me").status_code == HTTPStatus.OK


def test_the_limits_of_two_people_are_two(as_ann, as_bob, monkeypatch):
    monkeypatch.setitem(A_MINUTE, "reads", 1)
    for _ in range(3):
        last = as_ann.get("/me")
    assert last.status_code == HTTPStatus.TOO_MANY_REQUESTS
    assert as_bob.get("/me").status_code == HTTPStatus.OK


# The page ----------------------------------------------------------------------------------------


@pytest.fixture
def signed_in(ann):
    client = Client()
    sign_in(client, ann)
    return client


FORM = {"name": "my laptop", "scopes": ["games:read", "play"], "days": "30"}


def test_the_secret_is_shown_once(signed_in, ann):
    page = signed_in.post("/settings/programs/tokens/", FORM | {"account": ann.pk})
    secret = page.context["secret"]
    assert secret in page.content.decode()
    assert "no-store" in page["Cache-Control"]
    assert Api(secret).get("/games").status_code == HTTPStatus.OK
    again = signed_in.get("/settings/programs/").content.decode()
    assert "my laptop" in again
    assert secret not in again
    token = ApiToken.objects.get()
    assert token.scopes == ["games:read", "play"]
    assert token.expires_at - token.created_at == timedelta(days=30)


def test_a_token_is_for_oneself_or_ones_own_program(signed_in, ann, bob, robot):
    for other in (bob.pk, robot.pk, 0):
        page = signed_in.post("/settings/programs/tokens/", FORM | {"account": other})
        assert page.status_code == HTTPStatus.UNPROCESSABLE_ENTITY
    assert not ApiToken.objects.exists()


def test_there_are_not_more_tokens_than_the_limit(signed_in, ann, now):
    for _ in range(MOST_TOKENS):
        token_for(ann, now=now)
    page = signed_in.post("/settings/programs/tokens/", FORM | {"account": ann.pk})
    assert page.status_code == HTTPStatus.CONFLICT
    assert ApiToken.objects.count() == MOST_TOKENS


def test_old_answers_are_deleted(ann):
    for age in (timedelta(hours=23), timedelta(hours=25)):
        ApiAnswer.objects.create(
            user=ann, key=str(age), request_hash="x", status=200, created_at=timezone.now() - age
        )
    assert delete_old_answers(now=timezone.now()) == 1
    assert ApiAnswer.objects.get().key == "23:00:00"


@pytest.mark.parametrize("header", ["*", "de", "de-AT, *;q=0.5"])
def test_who_names_no_language_of_ours_is_answered_in_the_accounts(ann, now, header):
    User.objects.filter(pk=ann.pk).update(language="fr")
    api = Api(token_for(ann, now=now))
    answer = api.get("/games/99999", **{"Accept-Language": header})
    assert answer["Content-Language"] == "fr"
    assert answer.data["detail"] == api.get("/games/99999").data["detail"]
