"""Everything of a game in one timeline, newest first, page by page."""

import re
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone

from games.models import Report
from games.moderation.admin import timeline as admin_timeline
from games.moderation.admin.timeline import timeline
from games.moderation.game_actions import give_time, pause_game, substitute
from games.services.invitations import challenge
from games.services.offers import decline_offer, offer_end
from games.services.record import faults_of
from notifications.outbox.recipients import make_notices
from tests.factories import PersonFactory
from tests.games.moderating import WHY
from tests.games.play import DAY, SECOND, begin, fresh, play, play_all, table
from tests.table_snapshot import triggers_off

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


@pytest.fixture
def story(ann, bob, mo, now):
    """A game with something of every kind, each a minute after the one before."""
    moments = (now + timedelta(minutes=number) for number in range(100))
    game = begin(ann, bob, now=next(moments), is_public=False)
    play(game, ann, "5", now=next(moments))
    offer_end(game_id=game.pk, user=bob, now=next(moments))
    make_notices(now=next(moments))
    decline_offer(game_id=game.pk, user=ann, now=next(moments))
    Report.objects.create(
        reporter=ann, person=bob, game=game, reason="abuse", text="rude", made_at=next(moments)
    )
    play(game, bob, "1", now=next(moments))
    pause_game(game_id=game.pk, by=mo, why=WHY, now=next(moments))
    return fresh(game)


def page_of(judge, game, **query):
    answer = judge.get(reverse("admin:games_game_change", args=[game.pk]), query)
    assert answer.status_code == 200
    return answer.content.decode()


def told(game):
    return [
        (entry.source.name, entry.line.who, entry.line.words) for entry in timeline(game).entries
    ]


def test_things_of_every_kind_stand_in_one_list_newest_first(story):
    assert [entry for entry in told(story) if entry[0] != "notice"] == [
        ("event", "mo", f"game paused: {WHY}"),
        ("turn", "bob", "2. 1"),
        ("report", "ann", "reports bob (insults or harassment): rude"),
        ("event", "ann", "offer declined"),
        ("offer", "bob", "to end the game by agreement"),
        ("event", "bob", "offer made"),
        ("turn", "ann", "1. 5"),
        ("event", "", "game begun"),
        ("event", "bob", "seat taken"),
        ("event", "ann", "player challenged: bob"),
        ("event", "ann", "table opened"),
    ]
    times = [entry.at for entry in timeline(story).entries]
    assert times == sorted(times, reverse=True)


def test_mails_stand_among_them_with_what_became_of_them(story):
    mails = [entry for entry in timeline(story).entries if entry.source.name == "notice"]
    notices = list(story.notices.order_by("-pk"))
    assert len(mails) == len(notices) > 3
    assert [mail.line.who for mail in mails] == [str(notice.user) for notice in notices]
    assert {mail.line.note for mail in mails} == {"waiting"}
    assert mails[0].line.url == f"/admin/notifications/notice/{notices[0].pk}/change/"


def test_no_games_things_stand_in_anothers(story, ann, bob, now):
    other = begin(ann, bob, now=now)
    assert {line[2] for line in told(other)} == {"game begun", "seat taken", "table opened"}


def test_what_was_done_is_said_in_words(story, mo, now):
    give_time(game_id=story.pk, by=mo, more=timedelta(hours=27), why=WHY, now=now + DAY)
    zoe = PersonFactory(username="zoe")
    substitute(game_id=story.pk, by=mo, seat=1, user=zoe, why=WHY, now=now + DAY)
    notes = [line.line.note for line in timeline(fresh(story)).entries[:2]]
    assert notes == ["#3 · seat 1 · bob · now zoe", "#2 · 1 day, 3 hours · seat 0"]


def test_the_page_shows_them_all(judge, story):
    html = page_of(judge, story)
    for words in (
        "reports bob (insults or harassment): rude",
        WHY,
        "offer declined",
        "2. 1",
        "mail",
    ):
        assert words in html


@pytest.mark.parametrize("size", [1, 2, 3, 7, 100])
def test_page_after_page_shows_everything_once(story, monkeypatch, size):
    monkeypatch.setattr(admin_timeline, "PAGE", 1000)
    everything = timeline(story).entries
    monkeypatch.setattr(admin_timeline, "PAGE", size)
    found, before = [], ""
    for _ in range(len(everything) + 1):
        page = timeline(story, before)
        assert len(page.entries) <= size
        found += page.entries
        before = page.older
        if not before:
            break
    assert found == everything


@pytest.mark.parametrize("size", [1, 3, 5])
def test_what_happened_at_the_same_instant_is_not_lost_between_pages(
    ann, bob, now, monkeypatch, size
):
    game = play_all(begin(ann, bob, now=now), ["1", "5", "2", "3", "7"], now=now)
    make_notices(now=now)
    monkeypatch.setattr(admin_timeline, "PAGE", 1000)
    everything = timeline(game).entries
    assert len({entry.at for entry in everything}) == 1
    monkeypatch.setattr(admin_timeline, "PAGE", size)
    found, before = [], ""
    while not found or before:
        page = timeline(game, before)
        found, before = found + page.entries, page.older
    assert found == everything


def test_the_page_leads_to_older_things_and_back(judge, story, monkeypatch):
    monkeypatch.setattr(admin_timeline, "PAGE", 4)
    older = re.search(r'\?before=([^#"]+)#timeline', page_of(judge, story))[1]
    html = page_of(judge, story, before=older)
    assert "Back to the newest" in html
    assert WHY not in html


@pytest.mark.parametrize(
    "before", ["x", "1-2", "1-2-3-4", "9" * 40 + "-0-1", "-1-0-0", "1-0-" + "9" * 40]
)
def test_no_beginning_is_too_odd(judge, story, before):
    page_of(judge, story, before=before)


# The board ---------------------------------------------------------------------------------------


def test_the_board_is_drawn_at_any_turn(judge, story):
    pages = [page_of(judge, story, turn=number) for number in range(3)]
    drawings = [html.partition('"moderation-drawing"')[2].partition("</div>")[0] for html in pages]
    assert len(set(drawings)) == 3
    assert all("<svg" in drawing for drawing in drawings)
    assert "After turn 1 of 2: " in page_of(judge, story, turn=1)
    assert "The start" in page_of(judge, story, turn=0)


def test_one_steps_from_turn_to_turn(judge, story):
    middle = page_of(judge, story, turn=1)
    assert 'href="?turn=0" rel="prev"' in middle
    assert 'href="?turn=2" rel="next"' in middle
    assert 'rel="next"' not in page_of(judge, story, turn=2)
    assert 'rel="prev"' not in page_of(judge, story, turn=0)


@pytest.mark.parametrize("turn", ["", "99", "-1", "x", "9" * 40, "²"])
def test_a_turn_that_is_none_shows_the_newest(judge, story, turn):
    assert "After turn 2 of 2: " in page_of(judge, story, turn=turn)


def test_a_record_that_cannot_be_played_still_has_a_page(judge, story):
    with triggers_off():
        story.turns.filter(number=1).update(notation="nonsense")
    assert faults_of(story) != []
    html = page_of(judge, story)
    assert "turn 1 does not match its hash" in html
    assert "1. nonsense" in html


# The clock ---------------------------------------------------------------------------------------


def test_the_clock_is_told_in_words(judge, ann, bob, mo):
    now = timezone.now()
    game = begin(ann, bob, now=now - SECOND, days=2)
    assert "ann is to move, until " in page_of(judge, game)
    assert ", in 2 days." in page_of(judge, game)
    pause_game(game_id=game.pk, by=mo, why=WHY, now=now)
    html = page_of(judge, game)
    assert "The clock has been stopped since " in html
    assert "(a moderator stopped it)" in html
    late = begin(ann, bob, now=now - timedelta(days=4), days=2)
    assert "the time is over." in page_of(judge, late)


def test_a_table_that_waits_shows_who_is_asked(judge, ann, bob, now):
    waiting = table(ann, now=now)
    challenge(game_id=waiting.pk, by=ann, user=bob, now=now)
    html = page_of(judge, waiting)
    assert "player challenged: bob" in html
    assert "not answered yet" in html
