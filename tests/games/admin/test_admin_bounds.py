"""What no address and no form of the admin gives away or changes, for any user."""

import pytest
from django.contrib import admin
from django.test import RequestFactory
from django.urls import reverse

from games.moderation.admin.base import ModerationAdmin
from tests.factories import ModeratorFactory, StaffFactory

pytestmark = pytest.mark.django_db

HOUSE = ("games", "accounts", "notifications")

WRITTEN = {
    "Moderators": set(),
    "Hosts": {
        ("add", "accounts.User"),
        ("change", "accounts.User"),
        ("add", "games.Announcement"),
        ("change", "games.Announcement"),
        ("add", "games.SitePage"),
        ("change", "games.SitePage"),
    },
    "superuser": {
        ("add", "accounts.User"),
        ("change", "accounts.User"),
        ("add", "games.Announcement"),
        ("change", "games.Announcement"),
        ("add", "games.SitePage"),
        ("change", "games.SitePage"),
    },
}
"""What has a form at all: nothing can be deleted, and no turn, event or act can be written."""


def somebody(role):
    if role == "superuser":
        return ModeratorFactory(username="root")
    return StaffFactory(username="staff", role=role)


def ours():
    return {model._meta.label: page for model, page in admin.site._registry.items()}


@pytest.mark.parametrize("role", WRITTEN)
def test_only_accounts_announcements_and_texts_have_a_form(role):
    request = RequestFactory().get("/admin/")
    request.user = somebody(role)
    found = {
        (what, label)
        for label, page in ours().items()
        if label.partition(".")[0] in HOUSE
        for what in ("add", "change", "delete")
        if getattr(page, f"has_{what}_permission")(request)
    }
    assert found == WRITTEN[role]


@pytest.mark.parametrize("role", ["Moderators", "Hosts"])
def test_moderators_and_hosts_have_no_other_page(client, role):
    client.force_login(somebody(role))
    for label, page in ours().items():
        if label.partition(".")[0] not in HOUSE:
            path = reverse(f"admin:{page.opts.app_label}_{page.opts.model_name}_changelist")
            assert client.get(path).status_code == 403, label


def test_no_list_is_edited_and_none_deletes_what_is_chosen():
    request = RequestFactory().get("/admin/")
    request.user = somebody("superuser")
    pages = [page for page in ours().values() if isinstance(page, ModerationAdmin)]
    assert len(pages) >= 12
    for page in pages:
        assert not page.list_editable
        assert not page.inlines
        assert "delete_selected" not in page.get_actions(request)


@pytest.mark.parametrize(
    ("name", "query"),
    [
        ("accounts_user", "email__startswith=a"),
        ("accounts_user", "email=ann@example.org"),
        ("accounts_user", "password__startswith=x"),
        ("accounts_user", "authenticator__isnull=0"),
        ("games_game", "maker__email__startswith=a"),
        ("games_event", "details__why__startswith=x"),
        ("games_event", "kind__startswith=x"),
        ("games_message", "text__contains=x"),
        ("notifications_notice", "content__token__startswith=x"),
        ("notifications_incomingmail", "raw__contains=x"),
        ("notifications_incomingmail", "token_hash__startswith=x"),
        ("notifications_addressstate", "address__startswith=a"),
    ],
)
def test_a_list_answers_no_question_but_those_of_its_filters(client, name, query):
    client.force_login(somebody("Moderators"))
    assert client.get(f"{reverse(f'admin:{name}_changelist')}?{query}").status_code == 400
