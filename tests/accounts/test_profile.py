import pytest
from allauth.account.models import EmailAddress
from django.conf import settings
from django.urls import reverse

from accounts.models import User
from accounts.zones import zone_choices

pytestmark = pytest.mark.django_db


def test_anybody_may_see_a_profile_but_no_address(client, ann):
    page = client.get(reverse("profile", args=["ann"]))
    assert page.status_code == 200
    assert "@ann" in page.content.decode()
    assert ann.email not in page.content.decode()


def test_a_profile_is_found_whatever_the_case(client, ann):
    assert client.get("/people/ANN/").url == "/people/ann/"


@pytest.mark.parametrize("name", ["nobody-here", "a b", "%00", "ann%0a", "<b>", "x" * 300])
def test_there_is_no_profile_of_nobody(client, ann, name):
    assert client.get(f"/people/{name}/").status_code == 404


def test_a_bot_is_called_a_bot(client):
    path = reverse("profile", args=[settings.PRACTICE_PARTNER_USERNAME])
    assert "a bot" in client.get(path).content.decode()


def test_settings_are_for_those_signed_in(client):
    path = reverse("profile_edit")
    assert client.get(path).url == f"{reverse('account_login')}?next={path}"
    assert client.post(path, {"display_name": "x"}).status_code == 302


def test_settings_are_changed_and_confirmed_in_the_new_language(client, ann):
    client.force_login(ann)
    answers = {"display_name": "Anna", "language": "fr", "time_zone": "Asia/Tokyo"}
    assert client.post(reverse("profile_edit"), answers).url == reverse("profile_edit")
    ann.refresh_from_db()
    assert (ann.display_name, ann.language, ann.time_zone) == ("Anna", "fr", "Asia/Tokyo")
    assert client.get(reverse("profile_edit")).headers["Content-Language"] == "fr"


@pytest.mark.parametrize(
    "wrong", [{"language": "tlh"}, {"time_zone": "Mars/Base"}, {"time_zone": ""}, {"language": ""}]
)
def test_wrong_settings_are_refused_with_a_reason(client, ann, wrong):
    client.force_login(ann)
    answers = {"display_name": "Anna", "language": "fr", "time_zone": "Asia/Tokyo", **wrong}
    answer = client.post(reverse("profile_edit"), answers)
    assert answer.status_code == 200
    assert "field-error" in answer.content.decode()
    ann.refresh_from_db()
    assert (ann.display_name, ann.language, ann.time_zone) == ("", "en", "Europe/London")


@pytest.mark.parametrize("field", ["is_staff", "is_superuser", "is_bot", "username", "email"])
def test_settings_change_nothing_else(client, ann, field):
    client.force_login(ann)
    answers = {"display_name": "", "language": "en", "time_zone": "UTC", field: "1"}
    client.post(reverse("profile_edit"), answers)
    before, ann = ann, User.objects.get(pk=ann.pk)
    assert ann.time_zone == "UTC"
    assert getattr(ann, field) == getattr(before, field)


def test_a_zone_under_an_old_name_can_still_be_kept(ann):
    names = [name for _, zones in zone_choices("Zulu") for name, _ in zones]
    assert {"Zulu", "UTC", "Europe/Paris"} <= set(names)
    assert len(names) == len(set(names))


@pytest.mark.parametrize("zone", ["Gone/Away", "", "../etc", "/etc/passwd"])
def test_a_zone_that_was_abolished_reads_as_utc(client, ann, zone):
    User.objects.filter(pk=ann.pk).update(time_zone=zone)
    client.force_login(ann)
    assert client.get(reverse("profile_edit")).status_code == 200
    assert User.objects.get(pk=ann.pk).zone.key == "UTC"


def test_the_practice_partner_waits_from_the_first_migration():
    partner = User.objects.get(username=settings.PRACTICE_PARTNER_USERNAME)
    assert partner.is_bot
    assert not partner.has_usable_password()
    assert not EmailAddress.objects.filter(user=partner).exists()
