"""What a player plans changes nothing that anybody else can fetch or is sent."""

import re

import pytest
from django.urls import NoReverseMatch, reverse

from accounts.server_time import server_now
from games.models import PlannedTurn
from games.plan_text import parse_plan
from games.services.plans import lay_plans
from notifications.incoming.processing import process_due
from notifications.incoming.receiving import receive
from notifications.kinds.base import compose
from notifications.models import IncomingMail, Kind, Notice
from notifications.outbox.recipients import make_notices
from notifications.services.replies import reply_address
from tests.games.play import play
from tests.lanes import long
from tests.notifications.incoming_mail import answer, token_of
from tests.permissions.asking import Asker
from tests.permissions.rows import ROWS
from tests.sample_site import populate

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

CHANGES_ALWAYS = re.compile(
    r'(name="csrfmiddlewaretoken" value=|"x-csrftoken": |nonce=|stamp=|datetime=)"?[^"&]*["&]'
    r"|\b\d+ (?:seconds?|minutes?) ago|\d\d:\d\d:\d\d",
    re.IGNORECASE,
)


NEW_EACH_TIME = {"readyz", "mfa_activate_totp", "mfa_add_webauthn"}
"""Rows whose pages are never the same twice."""


@pytest.fixture
def site(db, now, time_machine):
    """A site at which time stands still."""
    time_machine.move_to(now, tick=False)
    return populate(now=server_now())


def pages(asker, site, who):
    """Return what everybody but the planner is answered everywhere, by row."""
    found = {}
    for row in ROWS:
        try:
            path = reverse(row.name, args=row.blanks(site))
        except NoReverseMatch:
            continue  # a route of the admin without a name: its lists are asked by name
        answer = asker.ask(who, "GET", path)
        if answer.status_code == 200 and not answer.streaming:
            text = answer.content.decode("utf-8", "replace")
            found[str(row)] = CHANGES_ALWAYS.sub("", text)
    return found


@pytest.mark.parametrize("who", ["cat", "root", *long("nobody", "mona", "hana")])
def test_no_page_changes_because_somebody_plans(site, now, who):
    asker = Asker(site)
    for row in ROWS:
        row.blanks(site)  # some make what their page is about
    before = pages(asker, site, who)
    assert len(before) > 10
    for game in (site.public, site.private):
        plan(game, site.ann, "if 9; 2 then 3, if 7 then 8", now)
    after = pages(asker, site, who)
    assert {name for name in before if before[name] != after[name]} <= NEW_EACH_TIME


def test_the_opponents_pages_do_not_change(site, now, client):
    client.force_login(site.bob)
    addresses = [site.public.get_absolute_url(), "/", "/finished/"]
    addresses += [f"{addresses[0]}{more}" for more in ("turns/1/", "replay/", "record/", "news/")]

    def seen():
        texts = [client.get(address).content.decode() for address in addresses]
        return [CHANGES_ALWAYS.sub("", text) for text in texts]

    seen()  # the first look ends the undoing of turns
    before = seen()
    plan(site.public, site.ann, "if 9; 2 then 3, if 7 then 8", now)
    assert seen() == before


def test_no_mail_to_anybody_else_changes(site, now):
    make_notices(now=now)
    before = set(Notice.objects.values_list("pk", flat=True))
    plan(site.public, site.ann, "if 9; 2 then 3, if 7 then 8", now)
    make_notices(now=now)
    assert set(Notice.objects.values_list("pk", flat=True)) == before
    play(site.public, site.ann, "9", now=now)
    make_notices(now=now)
    notice = Notice.objects.filter(user=site.bob, game=site.public).latest("pk")
    with_plan = str(compose(notice, (), now=now).message())
    PlannedTurn.objects.all().delete()
    without = str(compose(notice, (), now=now).message())
    assert strip_boundaries(with_plan) == strip_boundaries(without)


def strip_boundaries(text):
    return re.sub(r"={15}\d+==", "", text)


def plan(game, user, text, now):
    number = game.turns.count()
    lines = [parse_plan(text)]
    lay_plans(game_id=game.pk, user=user, lines=lines, expected_turn=number, now=now)


@pytest.mark.parametrize("who", ["mona", "hana", "root"])
def test_a_plan_that_was_mailed_is_on_no_page_of_the_admin(site, now, who):
    make_notices(now=now)
    letter = Notice.objects.filter(user=site.ann, game=site.public).latest("pk")
    token = token_of(letter, now)
    raw = answer(token, "if 9; 2 then 3", site.ann.email)
    receive(
        raw,
        recipient=reply_address(token),
        envelope_from=site.ann.email,
        door="smtp",
        now=now,
    )
    process_due(now=now)
    assert PlannedTurn.objects.filter(user=site.ann).exists()
    said = Notice.objects.filter(kind=Kind.ANSWER, user=site.ann).latest("pk")
    assert "if 9; 2 then 3" in str(said.content)
    mail = IncomingMail.objects.latest("pk")
    asker = Asker(site)
    pages = [
        reverse("admin:notifications_incomingmail_change", args=[mail.pk]),
        reverse("admin:notifications_notice_change", args=[said.pk]),
        reverse("admin:games_game_change", args=[site.public.pk]),
        reverse("admin:notifications_incomingmail_changelist"),
        reverse("admin:notifications_notice_changelist"),
    ]
    seen = [asker.ask(who, "GET", page) for page in pages]
    assert 200 in [one.status_code for one in seen]
    assert not any(b"then 3" in one.content for one in seen)
