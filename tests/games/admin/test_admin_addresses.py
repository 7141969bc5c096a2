"""Mail addresses are shown to administrators only: no page of the admin tells a moderator one."""

import html

import pytest
from django.contrib import admin
from django.urls import reverse
from django.utils import timezone

from tests.games.admin.every_page import address_lookups, every_page, list_of, orders
from tests.sample_site import SECRET_ADDRESSES, populate

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

UNKNOWN = "nobody.at.all@nowhere.example"
TERMS = ("ann", "#1", SECRET_ADDRESSES[0], "stranger@outside.example", "zoe@elsew", UNKNOWN)
HOUSE = ("accounts", "games", "notifications")


@pytest.fixture
def site(db):
    return populate(now=timezone.now())


@pytest.fixture
def as_mona(client, site):
    """The browser of a moderator with a second factor."""
    client.force_login(site.mona)
    return client


def lists(client):
    """Return the lists that the signed-in user may open."""
    every = [one for one in admin.site._registry.values() if one.opts.app_label in HOUSE]
    return [one for one in every if client.get(list_of(one)).status_code == 200]


def told(answer):
    """Return which of the addresses an answer tells."""
    text = html.unescape(answer.content.decode()).lower()
    return {address for address in SECRET_ADDRESSES if address in text}


def rows(client, model_admin, query):
    answer = client.get(f"{list_of(model_admin)}?{query}")
    assert answer.status_code == 200
    return [row.pk for row in answer.context_data["cl"].result_list]


def test_no_page_tells_a_moderator_an_address(as_mona):
    found, seen = {}, 0
    for what, answer in every_page(as_mona, TERMS):
        assert answer.status_code < 500, what
        seen += answer.status_code == 200
        # What somebody searched for stands in the field for it.
        if addresses := told(answer) - set(TERMS) | told_beside_the_question(answer):
            found[what] = addresses
    assert seen > 300
    assert found == {}


def told_beside_the_question(answer):
    """Return which of the words that were searched for an answer tells elsewhere, too."""
    text = html.unescape(answer.content.decode()).lower()
    asked = answer.wsgi_request.GET.get("q", "") or answer.wsgi_request.GET.get("term", "")
    return {term for term in TERMS if "@" in term and term in text and term != asked.lower()}


def page_about(name, **which):
    model_admin = next(
        one for one in admin.site._registry.values() if list_of(one).endswith(f"/{name}/")
    )
    row = model_admin.model._default_manager.filter(**which).first()
    return f"{list_of(model_admin)}{row.pk}/change/"


def page_of_list(name, **which):
    return page_about(name, **which).rpartition(name)[0] + f"{name}/"


BOUNCED = {"address": "gone@elsewhere.example"}
PARKED, INVITED = {"state": "parked"}, {"invitation__email__gt": ""}
YANS = {"address": "yan@elsewhere.example"}


MASKED = [
    (page_of_list, "notice", YANS, ["yan@elsewhere.example"]),
    (page_about, "notice", YANS, ["yan@elsewhere.example"]),
    (page_of_list, "addressstate", BOUNCED, ["gone@elsewhere.example"]),
    (page_about, "addressstate", BOUNCED, ["gone@elsewhere.example"]),
    (page_of_list, "incomingmail", PARKED, ["stranger@outside.example", "crash@outside.ex"]),
    (page_about, "incomingmail", PARKED, ["envelope@outside.example", "crash@outside.ex"]),
    (page_about, "event", INVITED, ["zoe@elsewhere.example"]),
    (page_about, "game", {"invitations__email__gt": ""}, ["zoe@elsewhere.example"]),
    (page_about, "game", {"notices__address__gt": ""}, ["yan@elsewhere.example"]),
    (page_about, "game", {"reply_addresses__address__gt": ""}, ["stranger@outside.example"]),
]


def test_administrators_read_addresses_that_are_masked_for_moderators(client, site):
    for viewer, reads in ((site.hana, True), (site.mona, False)):
        client.force_login(viewer)
        for find, name, which, addresses in MASKED:
            page = html.unescape(client.get(find(name, **which)).text)
            for address in addresses:
                seen = (address in page, f"{address[0]}…@…" in page)
                assert seen == (reads, not reads), (name, which, viewer)


def test_only_administrators_read_the_address_of_a_person(client, site):
    path = reverse("admin:accounts_user_change", args=[site.ann.pk])
    for viewer, reads in ((site.hana, True), (site.mona, False)):
        client.force_login(viewer)
        assert (site.ann.email in client.get(path).text) == reads


def test_a_moderators_search_for_an_address_finds_as_much_as_for_one_that_is_not(as_mona):
    for model_admin in lists(as_mona):
        nothing = rows(as_mona, model_admin, f"q={UNKNOWN}")
        for known in (*SECRET_ADDRESSES, "ann@exam", "stranger@"):
            assert rows(as_mona, model_admin, f"q={known}") == nothing, (model_admin, known)


def test_administrators_find_by_address(client, site):
    client.force_login(site.hana)
    for name, address in [
        ("accounts_user", "ann@exam"),
        ("notifications_notice", "yan@elsewhere.example"),
        ("notifications_incomingmail", "stranger@outside.example"),
        ("notifications_addressstate", "gone@elsewhere.example"),
    ]:
        path = reverse(f"admin:{name}_changelist")
        listed = client.get(path, {"q": address}).context_data["cl"].result_list
        assert 0 < len(listed) < 5, name
        assert len(client.get(path, {"q": UNKNOWN}).context_data["cl"].result_list) == 0, name


def test_moderators_find_a_notice_by_its_message_id(as_mona):
    path = reverse("admin:notifications_notice_changelist")
    assert len(as_mona.get(path, {"q": "<b@localhost>"}).context_data["cl"].result_list) == 1


def test_no_list_is_put_in_the_order_of_a_column(as_mona):
    """It would be the order of addresses, and of masked ones too."""
    for model_admin in lists(as_mona):
        plain = rows(as_mona, model_admin, "")
        for order in orders(model_admin):
            answer = as_mona.get(f"{list_of(model_admin)}?{order}")
            listed = [row.pk for row in answer.context_data["cl"].result_list]
            assert listed == plain, (model_admin, order)
            assert told(answer) == set(), (model_admin, order)


def test_no_list_answers_a_question_about_addresses(as_mona):
    asked = 0
    for model_admin in lists(as_mona):
        for field in address_lookups(model_admin):
            for lookup in (field, f"{field}__exact", f"{field}__startswith", f"{field}__gt"):
                path = f"{list_of(model_admin)}?{lookup}=a"
                assert as_mona.get(path).status_code == 400, path
                asked += 1
    assert asked > 20


def test_what_a_moderator_dismisses_is_named_without_its_address(as_mona):
    path = reverse("admin:notifications_incomingmail_changelist")
    keys = [row.pk for row in as_mona.get(path).context_data["cl"].result_list]
    sent = {"action": "dismiss_mails", "_selected_action": keys}
    page = as_mona.post(path, sent).text
    assert "s…@…" in page
    assert told_words(page) == set()


def told_words(page):
    return {address for address in SECRET_ADDRESSES if address in html.unescape(page).lower()}
