"""The only verified address of an account stays: without it nobody could reach its owner."""

import pytest
from allauth.account.models import EmailAddress
from django.urls import reverse
from django.utils.html import escape

from tests.factories import ModeratorFactory

pytestmark = pytest.mark.django_db

EMAIL = reverse("account_email")
SECOND = "ann@example.net"
SENTENCE = "Confirm another address and make it the main one first."


@pytest.fixture
def signed_in(client, ann):
    """Ann's browser, in which she has just confirmed her password."""
    client.force_login(ann)
    client.post(reverse("account_reauthenticate"), {"password": "secret"})
    return client


def addresses(user):
    return sorted(user.emailaddress_set.values_list("email", flat=True))


def another(ann, *, verified, primary=False):
    return EmailAddress.objects.create(user=ann, email=SECOND, verified=verified, primary=primary)


def remove(client, email):
    return client.post(EMAIL, {"action_remove": "", "email": email}, follow=True)


def test_the_only_address_is_not_removed_though_there_is_a_password(signed_in, ann):
    answer = remove(signed_in, ann.email)
    assert addresses(ann) == [ann.email]
    assert escape(SENTENCE) in answer.content.decode()


def test_another_address_that_is_not_confirmed_does_not_count(signed_in, ann):
    another(ann, verified=False)
    ann.emailaddress_set.filter(email=ann.email).update(primary=False)
    assert escape(SENTENCE) in remove(signed_in, ann.email).content.decode()
    assert addresses(ann) == sorted([ann.email, SECOND])


def test_an_address_goes_when_another_is_confirmed_and_the_main_one(signed_in, ann):
    before = ann.email
    another(ann, verified=True)
    signed_in.post(EMAIL, {"action_primary": "", "email": SECOND})
    remove(signed_in, before)
    assert addresses(ann) == [SECOND]


def test_an_address_that_is_not_confirmed_can_always_be_removed(signed_in, ann):
    another(ann, verified=False)
    remove(signed_in, SECOND)
    assert addresses(ann) == [ann.email]


def test_the_page_offers_to_remove_only_where_there_are_two(signed_in, ann):
    button = 'name="action_remove"'
    assert button not in signed_in.get(EMAIL).content.decode()
    another(ann, verified=True)
    assert button in signed_in.get(EMAIL).content.decode()


# In the admin ----------------------------------------------------------------------------------


@pytest.fixture
def as_superuser(client, db):
    client.force_login(ModeratorFactory(username="root", is_superuser=True))
    return client


def of(user):
    return user.emailaddress_set.get()


def test_an_administrator_cannot_delete_it_either(as_superuser, ann):
    path = reverse("admin:account_emailaddress_delete", args=[of(ann).pk])
    assert as_superuser.post(path, {"post": "yes"}).status_code == 403
    assert addresses(ann) == [ann.email]


def test_one_of_two_is_deleted(as_superuser, ann):
    second = another(ann, verified=True)
    path = reverse("admin:account_emailaddress_delete", args=[second.pk])
    as_superuser.post(path, {"post": "yes"})
    assert addresses(ann) == [ann.email]


def test_nor_take_its_confirmation_back(as_superuser, ann):
    row = of(ann)
    path = reverse("admin:account_emailaddress_change", args=[row.pk])
    answer = as_superuser.post(path, {"user": ann.pk, "email": row.email, "primary": "on"})
    assert "This is the only verified address of the account." in answer.content.decode()
    assert EmailAddress.objects.get(pk=row.pk).verified
