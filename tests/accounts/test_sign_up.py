import pytest
from django.core.cache import cache
from django.urls import reverse

from accounts.models import User
from tests.accounts.account_mails import code_to, letters_to

pytestmark = pytest.mark.django_db
ADDRESS = "dora@example.org"


def sign_up(client, username="dora", email=ADDRESS, **more):
    answers = {"username": username, "email": email, "password1": "a long walk home", **more}
    query = f"?next={more['next']}" if "next" in more else ""
    return client.post(reverse("account_signup") + query, answers)


def enter_code(client, code):
    return client.post(reverse("account_email_verification_sent"), {"code": code})


def wait_a_little():
    """Let the ten seconds pass in which no second letter goes to the same address."""
    cache.clear()


def is_signed_in(client):
    return "_auth_user_id" in client.session


def test_a_newcomer_is_signed_in_once_the_mailed_code_is_entered(client):
    answer = sign_up(client)
    assert answer.url == reverse("account_email_verification_sent")
    assert not is_signed_in(client)
    answer = enter_code(client, code_to(ADDRESS))
    assert answer.url == reverse("home")
    assert is_signed_in(client)
    assert User.objects.get(username="dora").emailaddress_set.get().verified


def test_a_wrong_code_opens_nothing(client):
    sign_up(client)
    answer = enter_code(client, "BBBB-BBBB")
    assert answer.status_code == 200
    assert "field-error" in answer.content.decode()
    assert not is_signed_in(client)


def test_without_the_code_the_right_password_does_not_sign_in(client, another_browser):
    sign_up(client)
    wait_a_little()
    answers = {"login": "dora", "password": "a long walk home"}
    answer = another_browser.post(reverse("account_login"), answers)
    assert answer.url == reverse("account_email_verification_sent")
    assert not is_signed_in(another_browser)


def test_the_page_one_came_for_survives_sign_up_and_code(client):
    answer = sign_up(client, next="/invitations/abc/")
    page = client.get(answer.url)
    assert page.status_code == 200
    assert enter_code(client, code_to(ADDRESS)).url == "/invitations/abc/"


def test_the_way_from_sign_in_to_sign_up_keeps_the_page_one_came_for(client):
    page = client.get(reverse("account_login"), {"next": "/invitations/abc/"})
    assert "/accounts/signup/?next=%2Finvitations%2Fabc%2F" in page.content.decode()
    page = client.get(reverse("account_signup"), {"next": "/invitations/abc/"})
    assert 'name="next" value="/invitations/abc/"' in page.content.decode()


def test_nobody_is_led_to_another_site(client):
    sign_up(client, next="https://elsewhere.example/")
    assert enter_code(client, code_to(ADDRESS)).url == reverse("home")


def test_language_and_time_zone_are_taken_from_the_browser(client):
    client.post(reverse("choose_language"), {"language": "fr"})
    sign_up(client, time_zone="Europe/Paris")
    dora = User.objects.get(username="dora")
    assert (dora.language, dora.time_zone) == ("fr", "Europe/Paris")


@pytest.mark.parametrize("zone", ["", "Nowhere/Town", "../../etc/passwd", "x" * 500, "Europe/"])
def test_a_time_zone_that_is_none_becomes_utc(client, zone):
    sign_up(client, time_zone=zone)
    dora = User.objects.get(username="dora")
    assert (dora.language, dora.time_zone) == ("en", "UTC")


@pytest.mark.parametrize(
    "username",
    ["admin", "Root", "PLI", "x", "a b", "-dora", "dora\n", "<b>dora</b>", "d" * 31, "dörte", ""],
)
def test_names_that_cannot_be_are_refused(client, username):
    answer = sign_up(client, username=username)
    if username == "dora\n":  # A field of one line loses its end of line: this is plain "dora".
        assert User.objects.filter(username="dora").exists()
        return
    assert answer.status_code == 200
    assert "field-error" in answer.content.decode()
    assert not User.objects.filter(email=ADDRESS).exists()


def test_a_name_that_differs_in_case_alone_is_taken(client, ann):
    answer = sign_up(client, username="ANN")
    assert "field-error" in answer.content.decode()
    assert User.objects.filter(username__iexact="ann").count() == 1


@pytest.mark.parametrize("password", ["short", "password123", "dora@example.org", ""])
def test_a_weak_password_is_refused(client, password):
    answer = sign_up(client, password1=password)
    assert answer.status_code == 200
    assert not User.objects.filter(username="dora").exists()


def test_the_letter_can_be_asked_for_again(client):
    sign_up(client)
    first = code_to(ADDRESS)
    path = reverse("account_email_verification_sent")
    assert client.post(path, {"action": "resend"}).status_code == 429
    wait_a_little()
    client.post(path, {"action": "resend"})
    assert len(letters_to(ADDRESS)) == 2
    assert code_to(ADDRESS) != first
    assert enter_code(client, code_to(ADDRESS)).url == reverse("home")
