"""Staff powers need a second factor, wherever they are asked for."""

import pytest
from allauth.mfa.models import Authenticator

from accounts.backend import Backend
from accounts.models import User
from accounts.roles import ADMINISTRATORS, MODERATORS
from accounts.staff import has_staff_powers
from tests.factories import ModeratorFactory, StaffFactory

pytestmark = pytest.mark.django_db

MODERATE = "games.moderate"


@pytest.fixture
def mona(db):
    """A moderator without a second factor."""
    mona = StaffFactory(username="mona", role=MODERATORS)
    mona.authenticator_set.all().delete()
    return mona


def powers(person):
    """Return what the account may do, asked of a fresh row and as a request would load it."""
    found = {
        (has_staff_powers(one), one.has_perm(MODERATE), one.has_module_perms("games"))
        for one in (User.objects.get(pk=person.pk), Backend().get_user(person.pk))
    }
    (only,) = found
    assert len(set(only)) == 1
    return only[0]


def test_staff_without_a_second_factor_has_no_powers(mona):
    assert not powers(mona)


@pytest.mark.parametrize("kind", [Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN])
def test_staff_with_a_second_factor_has_them(mona, kind):
    Authenticator.objects.create(user=mona, type=kind, data={})
    assert powers(mona)


def test_recovery_codes_alone_are_no_second_factor(mona):
    """They stay behind when somebody else removes the factor that they belonged to."""
    Authenticator.objects.create(user=mona, type=Authenticator.Type.RECOVERY_CODES, data={})
    assert not powers(mona)


def test_a_superuser_needs_one_too():
    root = ModeratorFactory(username="root")
    assert powers(root)
    root.authenticator_set.all().delete()
    assert not powers(root)


def test_permissions_without_the_staff_flag_are_nothing(mona):
    hana = StaffFactory(username="hana", role=ADMINISTRATORS, is_staff=False)
    assert not powers(hana)


def test_a_closed_account_has_no_powers():
    gone = StaffFactory(username="gone", role=ADMINISTRATORS, is_active=False)
    assert not has_staff_powers(gone)
    assert not gone.has_perm(MODERATE)


def test_where_the_setting_says_so_no_second_factor_is_needed(mona, ann, settings):
    settings.STAFF_NEEDS_TWO_FACTORS = False
    assert powers(mona)
    assert not powers(ann)


def test_the_person_of_a_request_is_known_without_another_query(mona, django_assert_num_queries):
    keeper = StaffFactory(username="keeper", role=MODERATORS)
    with django_assert_num_queries(1):
        assert has_staff_powers(Backend().get_user(keeper.pk))
    with django_assert_num_queries(1):
        assert not has_staff_powers(Backend().get_user(mona.pk))


def test_of_players_nothing_is_asked(ann, django_assert_num_queries):
    with django_assert_num_queries(0):
        assert not has_staff_powers(ann)
        assert not ann.has_perm(MODERATE)
