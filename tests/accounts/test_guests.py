"""Guests sign up and keep their row, or sign in to another account; they have no settings."""

import pytest
from allauth.account.models import EmailAddress
from allauth.urls import urlpatterns
from django.contrib.messages import get_messages
from django.urls import reverse

from accounts.guests import close_guest
from accounts.middleware import GuestMiddleware
from accounts.models import SecurityEvent, User
from tests.accounts.account_mails import code_to, letters_to
from tests.accounts.test_sign_up import ADDRESS, enter_code, is_signed_in, sign_up, wait_a_little
from tests.factories import GuestFactory

pytestmark = pytest.mark.django_db


HAS_BLANK = (
    *("mfa_edit_webauthn", "mfa_remove_webauthn"),
    *("webhook_test", "webhook_secret", "webhook_on", "webhook_remove"),
    *("revoke_token", "program_settings", "delete_program"),
)


@pytest.fixture
def guest(db):
    return GuestFactory(username="guest-40213", display_name="Guest 40213")


@pytest.fixture
def visitor(client, guest):
    """The guest's browser."""
    client.force_login(guest)
    return client


def now_of(guest):
    return User.objects.get(pk=guest.pk)


def forget_code(visitor):
    """Let the sign-up that waits for a code be over, as it is after a quarter of an hour."""
    session = visitor.session
    del session["account_login"]
    session.save()
    wait_a_little()


def user_of(visitor):
    return visitor.session.get("_auth_user_id")


def names_of_allauth():
    """Return the names of allauth's addresses."""
    found, waiting = [], list(urlpatterns)
    while waiting:
        one = waiting.pop()
        waiting += getattr(one, "url_patterns", [])
        if getattr(one, "name", None):
            found.append(one.name)
    return sorted(found)


# Signing up --------------------------------------------------------------------------------------


def test_a_guest_signs_up_and_stays_the_same_user(visitor, guest):
    page = visitor.get(reverse("account_signup")).text
    assert "You play as Guest 40213." in page
    assert 'value="guest-40213"' in page
    sign_up(visitor, username="dora")
    answer = enter_code(visitor, code_to(ADDRESS))
    assert answer.url == reverse("home")
    dora = now_of(guest)
    assert (dora.username, str(dora), dora.guest_until) == ("dora", "dora", None)
    assert dora.check_password("a long walk home")
    assert dora.emailaddress_set.get().verified
    assert user_of(visitor) == str(guest.pk)
    assert User.objects.filter(is_bot=False).count() == 1


def test_a_guest_is_found_by_name_once_the_address_is_confirmed(visitor, guest):
    def words():
        return sorted(guest.search_words.values_list("words", flat=True))

    assert words() == []
    sign_up(visitor, username="dora-k")
    assert words() == []
    enter_code(visitor, code_to(ADDRESS))
    assert words() == ["dora k", "k"]


def test_a_closed_guest_is_not_found(guest):
    close_guest(guest)
    assert not guest.search_words.exists()


def test_a_guest_can_keep_the_name(visitor, guest):
    sign_up(visitor, username="guest-40213")
    enter_code(visitor, code_to(ADDRESS))
    kept = now_of(guest)
    assert (kept.username, str(kept), kept.is_guest) == ("guest-40213", "Guest 40213", False)


def test_until_the_address_is_confirmed_the_guest_plays_on_as_a_guest(visitor, guest):
    sign_up(visitor, username="dora")
    assert now_of(guest).is_guest
    assert user_of(visitor) == str(guest.pk)
    assert "You play as a guest until" in visitor.get("/").text


def test_a_guest_can_correct_a_mistyped_address(visitor, guest):
    sign_up(visitor, username="dora", email="dorra@example.org")
    forget_code(visitor)
    sign_up(visitor, username="dora", email=ADDRESS)
    enter_code(visitor, code_to(ADDRESS))
    assert not now_of(guest).is_guest
    assert [one.email for one in EmailAddress.objects.all()] == [ADDRESS]


def test_the_same_address_can_be_given_twice(visitor, guest):
    sign_up(visitor, username="dora")
    forget_code(visitor)
    sign_up(visitor, username="dora")
    assert len(letters_to(ADDRESS)) == 2
    enter_code(visitor, code_to(ADDRESS))
    assert not now_of(guest).is_guest


def test_the_address_of_another_account_changes_nothing(visitor, guest, ann):
    before = now_of(guest).__dict__ | {"_state": None}
    answer = sign_up(visitor, username="dora", email=ann.email)
    assert answer.url == reverse("account_email_verification_sent")
    assert now_of(guest).__dict__ | {"_state": None} == before
    assert "already" in letters_to(ann.email)[-1]
    assert user_of(visitor) == str(guest.pk)


def test_a_name_that_is_taken_is_refused(visitor, guest, ann):
    assert "field-error" in sign_up(visitor, username="ann").text
    assert now_of(guest).username == "guest-40213"


def test_the_session_of_another_browser_ends_with_the_new_password(visitor, another_browser, guest):
    another_browser.force_login(guest)
    sign_up(visitor, username="dora")
    enter_code(visitor, code_to(ADDRESS))
    assert 'class="welcome"' in another_browser.get("/").text


# Signing in to another account -------------------------------------------------------------------


def test_signing_in_leaves_the_guest(visitor, guest, ann):
    assert "you leave this one for good" in visitor.get(reverse("account_login")).text
    answer = visitor.post(reverse("account_login"), {"login": "ann", "password": "secret"})
    assert answer.url == reverse("home")
    assert user_of(visitor) == str(ann.pk)
    assert now_of(guest).is_guest


def test_a_wrong_password_leaves_the_guest_signed_in(visitor, guest, ann):
    visitor.post(reverse("account_login"), {"login": "ann", "password": "wrong"})
    assert user_of(visitor) == str(guest.pk)


def test_a_guest_can_leave(visitor):
    assert "Sign up first" in visitor.get(reverse("account_logout")).text
    visitor.post(reverse("account_logout"))
    assert not is_signed_in(visitor)


# Pages of accounts -------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["get", "post"])
def test_pages_of_accounts_lead_a_guest_to_sign_up(visitor, guest, method):
    open_names = GuestMiddleware.ENTRANCES | {"account_logout"}
    closed = [name for name in names_of_allauth() if name not in open_names]
    assert {"account_email", "account_set_password", "mfa_index"} <= set(closed)
    before = now_of(guest).__dict__ | {"_state": None}
    for name in [*closed, *GuestMiddleware.CLOSED]:
        address = reverse(name, args=[1] if name in HAS_BLANK else [])
        answer = getattr(visitor, method)(address, {"email": ADDRESS, "action_add": "1"})
        assert (name, answer.status_code, answer.get("Location")) == (
            name,
            302,
            reverse("account_signup"),
        )
        assert "guests have no settings" in str(list(get_messages(answer.wsgi_request))[-1])
    assert now_of(guest).__dict__ | {"_state": None} == before
    assert not EmailAddress.objects.exists()
    assert not letters_to(ADDRESS)


def test_signing_up_is_no_new_device(client):
    client.post(reverse("play_now"), {"game": "morpion"})
    sign_up(client, username="dora")
    enter_code(client, code_to(ADDRESS))
    event = SecurityEvent.objects.get(kind=SecurityEvent.Kind.SIGN_IN)
    assert event.details["new_device"] is False
    assert len(letters_to(ADDRESS)) == 1
