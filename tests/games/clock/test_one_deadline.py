"""One deadline, told alike by every page and mail: during a vacation, with its end known."""

import re

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.games.browsing import html_of
from tests.games.moderating import a_moderator
from tests.games.play import DAY, begin, fresh, play
from tests.games.vacations import go_away
from tests.notifications.outgoing_mail import html_of as mail_html
from tests.notifications.outgoing_mail import tell

pytestmark = pytest.mark.django_db

DISTANCE = "12 days"
"""How far ahead the deadline is: 4 days for the turn, after a vacation of 7 days and 17 hours."""


def words(html):
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", html)).replace("\xa0", " ")


@pytest.fixture
def told(ann, bob, as_ann):
    """What is said of the deadline of a turn that began while its player was on vacation."""
    now = timezone.now()
    game = begin(bob, ann, now=now, days=4)
    go_away(ann, now, days=7 + 17 / 24, now=now)
    play(game, bob, "5", now=now)
    tell(now)
    game = fresh(game)
    assert 11.6 * DAY < game.deadline - now < 11.8 * DAY
    judge = Client()
    judge.force_login(a_moderator("mo"))
    letter = next(one for one in mail.outbox if "It is your turn" in one.body)
    return {
        "page": words(html_of(as_ann, game.get_absolute_url())),
        "My games": words(html_of(as_ann, "/")),
        "mail": letter.body.replace("\n", " "),
        "mail in HTML": words(mail_html(letter)),
        "moderators": words(html_of(judge, reverse("admin:games_game_change", args=[game.pk]))),
    }


def test_every_page_and_mail_says_how_far_ahead_it_is_in_the_same_words(told):
    assert f", in {DISTANCE}. Playing time left: 4 days." in told["page"]
    assert f"due in {DISTANCE}" in told["My games"]
    assert f", in {DISTANCE}." in told["mail"]
    assert f", in {DISTANCE}." in told["mail in HTML"]
    assert f", in {DISTANCE}." in told["moderators"]
