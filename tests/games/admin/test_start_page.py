"""The admin's start page and sidebar: what awaits a moderator, then the lists in groups."""

import re
from collections import Counter

import pytest
from django.contrib import admin
from django.urls import reverse

from games.moderation.admin.site import GROUPS
from tests.staff_users import signed_in

pytestmark = pytest.mark.django_db

NEEDS_ATTENTION = "Needs attention"
OF_MODERATORS = [
    ("Moderation", ["Reports", "People", "Messages", "Moderation log"]),
    ("Games", ["Games", "Events"]),
    (
        "Competition",
        [
            *("Wishes for opponents", "Ratings", "Entries", "League games"),
            *("Ladders", "Places on ladders", "Ladder challenges"),
            *("Tournaments", "Players of tournaments", "Rounds", "Tournament games"),
            *("Clubs", "Matches of clubs"),
        ],
    ),
    ("Mail", ["Incoming mails", "Notices", "Bounced addresses"]),
    ("This site", ["Announcements", "Outages", "Pages of the site"]),
]


def opened(client, name, *args):
    return client.get(reverse(name, args=args)).content.decode()


def groups_in(page):
    """Return each group's name and the names of its lists."""
    return [
        (caption, re.findall(r'<th scope="row">\s*<a [^>]+>([^<]+)</a>', rest))
        for caption, rest in re.findall(r"<caption>([^<]+)</caption>(.*?)</table>", page, re.DOTALL)
    ]


def test_every_list_is_in_one_group():
    listed = Counter(label for _, labels in GROUPS for label in labels)
    assert listed == Counter(model._meta.label for model in admin.site._registry)


def test_what_awaits_a_moderator_is_above_the_lists_in_groups(client):
    signed_in(client, "moderator")
    page = opened(client, "admin:index")
    assert groups_in(page) == OF_MODERATORS
    assert page.index(NEEDS_ATTENTION) < page.index("<caption>")


def test_the_sidebar_has_the_same_groups_and_marks_the_open_list(client):
    signed_in(client, "moderator")
    page = opened(client, "admin:games_report_changelist")
    assert groups_in(page) == OF_MODERATORS
    (marked,) = re.findall(r'aria-current="page">([^<]+)</a>', page.partition("nav-sidebar")[2])
    assert marked == "Reports"


def test_the_lists_of_one_app_say_nothing_of_what_awaits(client):
    """It is not looked up there, so the page must not tell that there is nothing."""
    signed_in(client, "moderator")
    page = opened(client, "admin:app_list", "games")
    assert [name for name, _ in groups_in(page)] == ["Games"]
    assert NEEDS_ATTENTION not in page
