"""Letters of clubs: what is told to whom, once, and how a member switches them off."""

import pytest
from django.core import mail

from accounts.server_time import server_now
from games.models import ClubMember, ClubNews
from games.services.clubs.announcements import announce
from games.services.clubs.boards import run_clubs, start_match
from games.services.clubs.clubs import close_club
from games.services.clubs.members import (
    admit,
    ask_for_membership,
    hand_club_over,
    refuse,
    remove_member,
    set_letters,
)
from games.services.endings import resign
from notifications.outbox.club_letters import tell_clubs
from notifications.outbox.delivery import send_due
from tests.factories import PersonFactory
from tests.games.clubs.meeting import DAY, agreed_match, club_of
from tests.notifications.outgoing_mail import html_of

pytestmark = pytest.mark.django_db


def letters(now):
    """Write and send the letters that are due, and return them by their reader's name."""
    mail.outbox.clear()
    tell_clubs(now=now)
    send_due(now=now)
    found = [one for one in mail.outbox if one.extra_headers["X-Pli-Kind"] == "club"]
    assert not ClubNews.objects.exclude(tells="match-begins").exists()
    return {one.to[0].partition("@")[0]: one for one in found}


def test_each_is_told_what_a_club_decides_about_them(ann, bob, cat, now):
    club = club_of(ann, now=now)
    at = {"club_id": club.pk, "now": now}
    for person in (bob, cat):
        ask_for_membership(user=person, **at)
    found = letters(now)
    assert set(found) == {"ann"}
    admit(person=bob, by=ann, **at)
    refuse(person=cat, by=ann, **at)
    found = letters(now)
    assert found["bob"].subject == "Vous êtes membre de Round Table"
    assert found["cat"].subject == "Round Table has not admitted you"
    assert letters(now) == {}
    ask_for_membership(user=PersonFactory(username="dan"), **at)
    remove_member(person=bob, by=ann, text="Was <b>rude</b>", **at)
    found = letters(now)
    assert found["ann"].subject == "dan asks to join Round Table"
    assert "Was <b>rude</b>" in found["bob"].body
    assert "&lt;b&gt;" in html_of(found["bob"])
    assert "/unsubscribe/" in found["bob"].extra_headers["List-Unsubscribe"]
    admit(person=PersonFactory(username="dan"), by=ann, **at)
    hand_club_over(person=PersonFactory(username="dan"), by=ann, **at)
    assert letters(now)["dan"].subject == "You own Round Table now"
    close_club(user=PersonFactory(username="dan"), **at)
    assert letters(now)["ann"].subject == "The club Round Table is closed"


def test_a_request_that_is_answered_is_not_told_any_more(ann, bob, now):
    club = club_of(ann, now=now)
    ask_for_membership(club_id=club.pk, user=bob, now=now)
    admit(club_id=club.pk, person=bob, by=ann, now=now)
    assert set(letters(now)) == {"bob"}


def test_an_announcement_is_stopped_by_one_click_for_this_club_alone(ann, bob, cat, client, now):
    club, other = club_of(ann, bob, cat, now=now), club_of(cat, bob, now=now, name="Other")
    letters(now)
    set_letters(club_id=club.pk, user=cat, on=False, now=now)
    announce(club_id=club.pk, user=ann, text="Dear <all>", now=now)
    found = letters(now)
    assert set(found) == {"bob"}
    assert "Dear <all>" in found["bob"].body
    assert "Dear &lt;all&gt;" in html_of(found["bob"])
    link = found["bob"].extra_headers["List-Unsubscribe"].strip("<>")
    assert "/club-letters/" in link
    assert link in found["bob"].body
    path = link.partition("//")[2].partition("/")[2]
    assert client.get(f"/{path}").status_code == 200
    own = ClubMember.objects.get(club=club, user=bob)
    assert own.gets_letters
    for _ in range(2):
        assert client.post(f"/{path}", {"List-Unsubscribe": "One-Click"}).status_code == 200
    own.refresh_from_db()
    assert not own.gets_letters
    send_due(now=server_now())
    answers = [one for one in mail.outbox if one.extra_headers["X-Pli-Kind"] == "answer"]
    assert len(answers) == 1
    assert client.post(f"/{path[:-3]}xx/").status_code == 404
    announce(club_id=club.pk, user=ann, text="More", now=now + DAY)
    assert letters(now + DAY) == {}
    announce(club_id=other.pk, user=cat, text="Others", now=now)
    assert set(letters(now)) == {"bob"}


def test_what_is_not_so_any_more_is_not_sent(ann, bob, cat, now):
    club = club_of(ann, bob, cat, now=now)
    letters(now)
    announce(club_id=club.pk, user=ann, text="Dear all", now=now)
    tell_clubs(now=now)
    set_letters(club_id=club.pk, user=bob, on=False, now=now)
    remove_member(club_id=club.pk, person=cat, by=ann, text="Rude", now=now)
    found = letters(now)
    assert set(found) == {"cat"}
    assert "Rude" in found["cat"].body


def test_a_match_is_told_when_its_games_have_begun_and_at_its_end(now):
    match, hosts, guests = agreed_match(now, size=3, most_boards=2)
    found = letters(now)
    assert found["h0"].subject == "The match is on: Home Club – Away Club"
    assert "a0" not in found  # who has accepted needs no letter about the challenge any more
    start = match.starts_at
    start_match(match.pk, now=start)
    assert letters(start) == {}
    run_clubs(now=start)
    found = letters(start)
    assert set(found) == {one.username for one in (*hosts, *guests)}
    assert "You play on board 1 against a0" in found["h0"].body
    assert "against h1" in found["a1"].body
    assert "no board" in found["h2"].body
    for row in match.boards.select_related("first__user"):
        resign(game_id=row.game_id, user=row.first.user, now=start)
    run_clubs(now=start + DAY)
    found = letters(start + DAY)
    assert set(found) == {one.username for one in (*hosts, *guests)}
    assert "h0 – a0: 0 : 2" in found["h0"].body
    assert "Nobody has won it: 2 : 2" in found["h0"].body
