"""What a superuser changes of groups is in the moderators' log; nobody else comes to them."""

import pytest
from django.contrib.auth.models import Group, Permission
from django.urls import reverse
from django.utils import translation

from accounts.models import User
from accounts.roles import ADMINISTRATORS
from games.models import ModerationLogEntry
from games.moderation.action_names import action_label
from tests.factories import StaffFactory

pytestmark = pytest.mark.django_db

MODERATE, LOOK = "games.moderate", "games.view_game"


@pytest.fixture
def as_root(client, moderator):
    client.force_login(moderator)
    return client


def keys(*codes):
    known = Permission.objects.select_related("content_type")
    return [str(one.pk) for one in known if f"{one.content_type.app_label}.{one.codename}" in codes]


@pytest.fixture
def judges(db):
    group = Group.objects.create(name="Judges")
    group.permissions.set(keys(LOOK))
    return group


def newest():
    """Return what the newest act says."""
    act = ModerationLogEntry.objects.order_by("-number").first()
    return act.what, act.by.username, act.details


def test_a_group_that_is_made(as_root):
    sent = {"name": "Judges", "permissions": keys(MODERATE, LOOK)}
    assert as_root.post(reverse("admin:auth_group_add"), sent).status_code == 302
    details = {"group": "Judges", "granted": [MODERATE, LOOK], "revoked": []}
    assert newest() == ("make-group", "moderator", details)


def test_a_group_whose_permissions_or_name_change(as_root, judges):
    path = reverse("admin:auth_group_change", args=[judges.pk])
    as_root.post(path, {"name": "Judges", "permissions": keys(MODERATE)})
    details = {"group": "Judges", "granted": [MODERATE], "revoked": [LOOK]}
    assert newest() == ("change-group", "moderator", details)
    as_root.post(path, {"name": "Referees", "permissions": keys(MODERATE)})
    details = {"group": "Judges", "renamed": "Referees", "granted": [], "revoked": []}
    assert newest() == ("change-group", "moderator", details)
    as_root.post(path, {"name": "Referees", "permissions": keys(MODERATE)})
    assert ModerationLogEntry.objects.count() == 2, "the same once more is no change"


def test_a_group_that_is_deleted(as_root, judges):
    path = reverse("admin:auth_group_delete", args=[judges.pk])
    assert as_root.post(path, {"post": "yes"}).status_code == 302
    assert not Group.objects.filter(name="Judges").exists()
    details = {"group": "Judges", "granted": [], "revoked": [LOOK]}
    assert newest() == ("delete-group", "moderator", details)


def test_groups_are_not_deleted_from_the_list(as_root, judges):
    path = reverse("admin:auth_group_changelist")
    as_root.post(path, {"action": "delete_selected", "_selected_action": judges.pk, "post": "yes"})
    assert Group.objects.filter(name="Judges").exists()


def test_the_log_says_it_in_words_of_both_languages(as_root, judges, moderator):
    as_root.post(reverse("admin:auth_group_delete", args=[judges.pk]), {"post": "yes"})
    act = ModerationLogEntry.objects.get()
    for language, words in (("en", "group deleted"), ("fr", "groupe supprimé")):
        with translation.override(language):
            assert action_label("delete-group") == words
        User.objects.update(language=language)
        page = as_root.get(reverse("admin:games_moderationlogentry_change", args=[act.pk])).text
        assert "Judges" in page
        assert LOOK in page
        assert words in page


def test_permissions_of_one_person_have_no_field(as_root, moderator, ann):
    """They would be changed without an act: roles are, with a reason."""
    mona = StaffFactory(username="mona", role=ADMINISTRATORS)
    group = Group.objects.create(name="Judges")
    for person in (mona, ann):
        path = reverse("admin:accounts_user_account", args=[person.pk])
        page = as_root.get(path).text
        for field in ("user_permissions", "groups", "is_staff"):
            assert f'name="{field}"' not in page
        sent = {"display_name": f"New {person}", "is_active": "on", "why": "x"}
        sent |= {"user_permissions": keys(MODERATE), "groups": [group.pk], "is_staff": "on"}
        assert as_root.post(path, sent).status_code == 302
        assert not person.user_permissions.exists()
        assert group not in person.groups.all()
    page = as_root.get(reverse("admin:accounts_user_add")).text
    assert 'name="user_permissions"' not in page
    assert 'name="groups"' not in page
