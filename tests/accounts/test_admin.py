import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import TOTP
from allauth.usersessions.models import UserSession
from django.contrib.auth.models import Permission
from django.urls import reverse

from accounts.backend import Backend
from accounts.models import User
from accounts.roles import PERMISSIONS
from games.models import Act
from tests.factories import StaffFactory

pytestmark = pytest.mark.django_db
SECRET = "JBSWY3DPEHPK3PXP"
PEOPLE = "admin:accounts_user_changelist"


def test_the_admin_is_entered_through_our_own_sign_in(client, moderator):
    path = reverse("admin:index")
    answer = client.get(path, follow=True)
    where = answer.redirect_chain[-1][0]
    assert where.startswith(f"{reverse('account_login')}?next=")
    answers = {"login": "moderator", "password": "secret", "next": path}
    assert client.post(reverse("account_login"), answers).url.startswith(
        reverse("mfa_authenticate")
    )


def test_who_has_no_second_factor_is_led_to_where_one_is_set_up(client, moderator):
    Authenticator.objects.all().delete()
    client.force_login(moderator)
    answer = client.get(reverse("admin:index"), follow=True)
    assert answer.redirect_chain[-1][0] == reverse("mfa_index")
    assert "The admin needs a second factor" in answer.text


def test_the_admin_opens_to_staff_with_a_second_factor(client, moderator):
    client.force_login(moderator)
    assert client.get(reverse("admin:index")).status_code == 200


def test_who_gives_up_the_second_factor_comes_in_no_more_though_signed_in_by_it(client, moderator):
    client.force_login(moderator)
    session = client.session
    session["account_authentication_methods"] = [{"method": "mfa", "at": 0, "type": "totp"}]
    session["account_authentication_methods_user"] = str(moderator.pk)
    session.save()
    assert client.get(reverse("admin:index")).status_code == 200
    Authenticator.objects.all().delete()
    assert client.get(reverse("admin:index")).url == reverse("mfa_index")


def test_a_right_of_ones_own_and_those_of_a_group_are_asked_for_together(
    moderator, django_assert_num_queries
):
    keeper = StaffFactory(username="keeper", role="Moderators")
    keeper.user_permissions.add(Permission.objects.get(codename="add_outage"))
    known = Backend().get_user(keeper.pk)
    with django_assert_num_queries(1):
        found = known.get_all_permissions()
    assert found == set(PERMISSIONS["Moderators"]) | {"games.add_outage"}
    assert Backend().get_user(moderator.pk).get_all_permissions() > found


@pytest.mark.parametrize("of", [{"is_active": False}, {"pk": 0}])
def test_who_is_gone_is_nobody(of):
    keeper = StaffFactory(username="keeper", role="Hosts", is_active=of.get("is_active", True))
    assert Backend().get_user(of.get("pk", keeper.pk)) is None
    if not keeper.is_active:
        assert keeper.get_all_permissions() == set()


def test_the_admins_own_form_takes_no_password(client, moderator):
    answers = {"username": "moderator", "password": "secret"}
    answer = client.post(reverse("admin:login"), answers)
    assert answer.url.startswith(reverse("account_login"))
    assert "_auth_user_id" not in client.session


def test_a_moderator_with_an_authenticator_app_needs_it_for_the_admin(client, moderator):
    Authenticator.objects.all().delete()
    TOTP.activate(moderator, SECRET)
    answers = {"login": "moderator", "password": "secret", "next": reverse("admin:index")}
    assert client.post(reverse("account_login"), answers).url.startswith(
        reverse("mfa_authenticate")
    )
    assert client.get(reverse("admin:index")).status_code == 302


def test_the_admin_is_closed_to_players(client, ann):
    client.force_login(ann)
    answer = client.get(reverse("admin:index"), follow=True)
    assert answer.status_code == 403


def test_people_are_listed_and_found(client, moderator, ann, bob):
    client.force_login(moderator)
    page = client.get(reverse(PEOPLE), {"q": "ann@exam"}).content.decode()
    assert reverse("admin:accounts_user_change", args=[ann.pk]) in page
    assert reverse("admin:accounts_user_change", args=[bob.pk]) not in page


def test_neither_hash_nor_secret_is_shown(client, moderator, ann):
    TOTP.activate(ann, SECRET)
    factor = ann.authenticator_set.get()
    client.force_login(moderator)
    pages = [
        client.get(reverse("admin:accounts_user_change", args=[ann.pk])),
        client.get(reverse("admin:mfa_authenticator_change", args=[factor.pk])),
    ]
    for page in pages:
        assert page.status_code == 200
        text = page.content.decode()
        assert SECRET not in text
        assert ann.password.split("$")[-1] not in text
        assert "algorithm" not in text


def test_what_a_superuser_does_to_ways_to_sign_in_is_in_the_log(client, moderator, ann):
    TOTP.activate(ann, SECRET)
    client.force_login(moderator)
    factor, address = ann.authenticator_set.get(), ann.emailaddress_set.get()
    factors = reverse("admin:mfa_authenticator_delete", args=[factor.pk])
    assert client.post(factors, {"post": "yes"}).status_code == 302
    ann.emailaddress_set.update(verified=False)
    addresses = reverse("admin:account_emailaddress_changelist")
    chosen = {"action": "make_verified", "_selected_action": address.pk, "index": 0}
    assert client.post(addresses, chosen).status_code == 302
    change = reverse("admin:account_emailaddress_change", args=[address.pk])
    answers = {"user": ann.pk, "email": "elsewhere@example.org", "verified": "on"}
    assert client.post(change, answers).status_code == 302
    assert not ann.authenticator_set.exists()
    assert ann.emailaddress_set.get().email == "elsewhere@example.org"
    acts = Act.objects.order_by("number").values_list("what", "by", "person", "why")
    who = (moderator.pk, ann.pk)
    assert list(acts) == [
        ("sign-in", *who, "authenticator deleted"),
        ("sign-in", *who, "email address marked as verified"),
        ("sign-in", *who, "email address changed"),
    ]


def test_a_sessions_key_is_shown_to_nobody(client, moderator):
    client.force_login(moderator)
    client.get(reverse("admin:index"))
    session = UserSession.objects.get()
    page = client.get(reverse("admin:usersessions_usersession_change", args=[session.pk]))
    assert session.ip in page.text
    assert session.session_key not in page.text


@pytest.mark.parametrize(
    ("page", "query", "found"),
    [
        ("account_emailaddress", "ann@exam", 1),
        ("account_emailaddress", "an", 1),
        ("account_emailaddress", "ann@other", 0),
        ("mfa_authenticator", "modera", 1),
        ("mfa_authenticator", "ann", 0),
        ("usersessions_usersession", "127.0.0.1", 1),
        ("usersessions_usersession", "10.0.0.1", 0),
        ("usersessions_usersession", "mod", 1),
    ],
)
def test_ways_to_sign_in_are_found_by_beginnings(client, moderator, ann, page, query, found):
    client.force_login(moderator)
    client.get(reverse("admin:index"))
    listed = client.get(reverse(f"admin:{page}_changelist"), {"q": query}).context_data["cl"]
    assert len(listed.result_list) == found


def test_what_belongs_to_others_cannot_be_changed_in_the_admin(client, moderator, ann):
    client.force_login(moderator)
    path = reverse("admin:accounts_user_account", args=[ann.pk])
    answers = {
        "username": "ann",
        "display_name": "Anna",
        "language": "en",
        "time_zone": "UTC",
        "is_active": "on",
        "is_bot": "on",
        "email": "elsewhere@example.org",
        "password": "x",
        "why": "asked for it",
    }
    assert client.post(path, answers).status_code == 302
    changed = User.objects.get(pk=ann.pk)
    assert changed.display_name == "Anna"
    assert not changed.is_bot
    assert changed.email == ann.email
    assert changed.password == ann.password


def test_a_person_can_be_made_in_the_admin(client, moderator):
    client.force_login(moderator)
    path = reverse("admin:accounts_user_add")
    assert client.get(path).status_code == 200
    answers = {
        "username": "dora",
        "email": "dora@example.org",
        "usable_password": "true",
        "password1": "a long walk home",
        "password2": "a long walk home",
    }
    assert client.post(path, answers).status_code == 302
    dora = User.objects.get(username="dora")
    assert dora.email == "dora@example.org"
    act = Act.objects.get()
    assert (act.what, act.by, act.person) == ("make-account", moderator, dora)
