"""Moderators act in the admin: asked for a reason, confirmed, done once, told what became of it."""

import re
from html import unescape

import pytest
from django.contrib.messages import get_messages
from django.urls import reverse
from django.utils import timezone

from games.models import Event, Game, ModerationLogEntry
from games.moderation.admin.game_actions import GAME_ACTIONS
from games.moderation.game_actions import abort_as_moderator, pause_game
from games.services.endings import hand_over
from tests.factories import PersonFactory, StaffFactory
from tests.games.moderating import NAMES, WHY, lose_on_time, newest
from tests.games.multiplayer import gather, places, play_on
from tests.games.play import DAY, database, fresh, play_all
from tests.table_snapshot import triggers_off

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

FILLED = {
    "add-time": {"days": "2", "hours": "3"},
    "take-back": {"turn": "1"},
    "substitute": {"seat": "1", "player": "ZOE"},
    "withdraw": {"seat": "1"},
    "adjudicate": {"place_0": "2", "place_1": "1", "place_2": "3", "place_3": "3"},
}
BEFORE = {
    "resume": "pause",
    "make-public": "make-private",
    "open-conversation": "close-conversation",
}


@pytest.fixture
def played(people):
    """A game of four after three turns, an hour ago."""
    PersonFactory(username="zoe")
    now = timezone.now()
    return play_on(gather(people, now=now), 3, now=now)


DONE = {ask.slug: str(ask.done) for ask in GAME_ACTIONS}


def change(game):
    return reverse("admin:games_game_change", args=[game.pk])


def door(game, name):
    return reverse("admin:games_game_do", args=[game.pk, name])


def send(judge, game, name, **data):
    """Send a filled in form; `confirmed="yes"` does it."""
    filled = {"why": WHY, "seen": ""} | FILLED.get(name, {}) | data
    return judge.post(door(game, name), filled)


def said(answer):
    return [str(message) for message in get_messages(answer.wsgi_request)]


def do(judge, game, name, **data):
    return send(judge, game, name, confirmed="yes", **data)


def prepare(judge, game, name):
    """Bring the game to where an act is possible."""
    if name in BEFORE:
        do(judge, game, BEFORE[name])
    if name == "reopen":
        lose_on_time(game, now=timezone.now())


def test_every_game_action_has_a_button():
    assert sorted(DONE) == sorted(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_an_act_is_asked_for_then_confirmed_then_done(judge, played, mo, name):
    prepare(judge, played, name)
    before = database()
    asked = judge.get(door(played, name))
    assert asked.status_code == 200
    assert database() == before
    question = send(judge, played, name)
    assert question.status_code == 200
    html = question.content.decode()
    assert 'name="confirmed"' in html
    assert WHY in html
    assert database() == before
    hidden = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', html))
    hidden.pop("csrfmiddlewaretoken", None)
    done = judge.post(door(played, name), hidden | {"confirmed": "yes"})
    assert (done.status_code, done["Location"]) == (302, change(played))
    act, event = newest(played)
    assert (act.what, act.by, act.why) == (name, mo, WHY)
    assert event.details["what"] == name
    good = DONE[name] if name != "verify" else "The record verifies"
    assert good in said(done)[-1]


def test_what_was_filled_in_is_done(judge, played):
    do(judge, played, "add-time")
    assert newest(played)[0].details["seconds"] == 51 * 3600
    do(judge, played, "substitute")
    assert str(played.seats.get(number=1).user) == "zoe"
    do(judge, played, "take-back")
    assert played.turns.last().notation == "takeback 1"
    do(judge, played, "adjudicate")
    assert places(fresh(played)) == [2, 1, 3, 3]


def test_the_question_shows_what_would_be_taken_back(judge, played):
    html = unescape(send(judge, played, "take-back").content.decode())
    gone = list(played.turns.order_by("number").values_list("notation", flat=True))[1:]
    assert ", ".join(gone) in html


@pytest.mark.parametrize("name", NAMES)
def test_without_a_reason_it_is_asked_again(judge, played, name):
    prepare(judge, played, name)
    before = database()
    for why in ("", "   ", "x" * 2001):
        answer = do(judge, played, name, why=why)
        assert answer.status_code == 200, why
        assert "Nothing was done yet" in answer.content.decode(), why
    assert database() == before


def test_a_form_filled_in_wrongly_is_shown_again(judge, played):
    before = database()
    for name, wrong in [
        ("add-time", {"days": "", "hours": "1"}),
        ("add-time", {"days": "-1"}),
        ("add-time", {"days": "999999999999"}),
        ("take-back", {"turn": "-1"}),
        ("take-back", {"turn": "one"}),
        ("withdraw", {"seat": "4"}),
        ("withdraw", {"seat": ""}),
        ("substitute", {"player": ""}),
        ("adjudicate", {"place_0": ""}),
        ("adjudicate", {"place_0": "5"}),
        ("pause", {"seen": "x"}),
    ]:
        assert do(judge, played, name, **wrong).status_code == 200, (name, wrong)
        assert database() == before, (name, wrong)


def test_a_refusal_is_told_and_nothing_is_done(judge, played):
    before = database()
    for name, data, sentence in [
        ("add-time", {"days": "0", "hours": "0"}, "The time must be at least a minute, and at"),
        ("take-back", {"turn": "3"}, "a turn from 0 to 2"),
        ("take-back", {"turn": "99999999999999999999"}, "a turn from 0 to 2"),
        ("substitute", {"player": "nobody"}, "No player is called “nobody”"),
        ("substitute", {"player": "bob"}, "bob is already at this table"),
        ("adjudicate", {"place_1": "2"}, "Give every seat a place from 1 to"),
        ("resume", {}, "This game is not paused"),
        ("make-public", {}, "it is already set this way"),
    ]:
        judge.cookies.pop("messages", None)  # what was said before this
        answer = do(judge, played, name, **data)
        assert (answer.status_code, answer["Location"]) == (302, change(played))
        (message,) = said(answer)
        assert message.startswith("Nothing was done: ")
        assert sentence in message
        assert database() == before, name


def test_who_acts_twice_does_it_once(judge, played):
    html = judge.get(change(played)).content.decode()
    assert 'id="add-time_seen"' in html
    do(judge, played, "add-time", seen="0")
    again = do(judge, played, "add-time", seen="0")
    assert "mo did this: time added." in said(again)[-1]
    assert ModerationLogEntry.objects.filter(game=played).count() == 1


def test_the_second_of_two_moderators_sees_what_the_first_did(judge, played, meg):
    page = judge.get(change(played)).content.decode()
    seen = re.search(r'name="seen" value="(\d*)" id="abort_seen"', page)[1]
    pause_game(game_id=played.pk, by=meg, why="I look into it", now=timezone.now())
    answer = do(judge, played, "abort", seen=seen)
    assert "meg did this: game paused." in said(answer)[-1]
    assert fresh(played).status == "active"
    html = judge.get(change(played)).content.decode()
    assert "game paused: I look into it" in html
    seen = re.search(r'name="seen" value="(\d*)" id="abort_seen"', html)[1]
    do(judge, played, "abort", seen=seen)
    assert fresh(played).status == "aborted"


def test_nobody_acts_on_their_own_game(judge, played, mo):
    hand_over(fresh(played), played.seats.get(number=3), mo, timezone.now(), time=DAY)
    html = judge.get(change(played)).content.decode()
    assert "another moderator must act here" in html
    before = database()
    for name in NAMES:
        assert door(played, name) not in html
        judge.cookies.pop("messages", None)  # what was said before this
        (message,) = said(do(judge, played, name))
        assert "You play in this game" in message
    assert database() == before


def test_whose_turns_stand_in_a_game_is_offered_nothing_there(judge, played, mo):
    with triggers_off():
        played.turns.filter(number=1).update(player=mo)
    html = judge.get(change(played)).content.decode()
    assert "You play in this game, or did: another moderator must act here" in html
    assert door(played, "pause") not in html


def test_a_finished_game_offers_only_what_can_be_done(judge, played, mo):
    abort_as_moderator(game_id=played.pk, by=mo, why=WHY, now=timezone.now())
    html = judge.get(change(played)).content.decode()
    for name in NAMES:
        can = name in ("make-private", "close-conversation", "verify")
        assert (door(played, name) in html) == can, name
        if not can and not name.startswith(("make-public", "open-")):
            judge.cookies.pop("messages", None)  # what was said before this
            (message,) = said(do(judge, played, name))
            assert ("or it is over" in message) or (name == "reopen" and "reopened" in message)


@pytest.mark.parametrize("who", ["nobody", "ann", "staff", "viewer"])
def test_others_do_not_come_to_act(client, played, ann, mo, who):
    people = {"ann": ann, "staff": StaffFactory(username="staff")}
    people["viewer"] = StaffFactory(username="viewer")
    people["viewer"].user_permissions.set(mo.user_permissions.filter(codename__startswith="view_"))
    if who != "nobody":
        client.force_login(people[who])
    before = database()
    for name in NAMES:
        for answer in (client.get(door(played, name)), do(client, played, name)):
            assert answer.status_code in (302, 403)
            assert answer.status_code == 403 or "login" in answer["Location"]
    assert database() == before
    page = client.get(change(played))
    assert page.status_code == (200 if who == "viewer" else page.status_code)
    assert [name for name in NAMES if door(played, name).encode() in page.content] == []


@pytest.mark.parametrize("path", ["999999/do/pause/", "{pk}/do/delete/", "9{big}/do/pause/"])
def test_there_must_be_a_game_and_an_act(judge, played, path):
    where = "/admin/games/game/" + path.format(pk=played.pk, big="9" * 40)
    assert judge.get(where).status_code == 404


@pytest.mark.parametrize("key", ["x", "0", "-1", "9" * 40, "1_2F2"])
def test_a_page_of_no_game_leads_away(judge, played, key):
    assert judge.get(f"/admin/games/game/{key}/change/").status_code == 302


def test_a_wrong_cache_is_found_and_rebuilt(judge, played):
    Game.objects.filter(pk=played.pk).update(position=fresh(played).previous_position)
    assert (
        "the cached position is not the record&#x27;s" in judge.get(change(played)).content.decode()
    )
    assert "The cache was wrong and is rebuilt" in said(do(judge, played, "verify"))[-1]
    assert "verified" in judge.get(change(played)).content.decode()


def test_a_bent_record_is_said_not_to_verify(judge, played):
    with triggers_off():
        played.turns.filter(number=1).update(notation="b3-b4")
    assert "The record does not verify: turn 1" in said(do(judge, played, "verify"))[-1]


def test_no_form_changes_a_turn_an_event_or_the_log(judge, played):
    do(judge, played, "pause")
    rows = {"moderationlogentry": ModerationLogEntry.objects.get(), "event": Event.objects.first()}
    before = database()
    for name, row in rows.items():
        for way in ("change", "delete"):
            path = reverse(f"admin:games_{name}_{way}", args=[row.pk])
            assert judge.post(path, {"why": "x", "post": "yes"}).status_code == 403
        assert judge.post(reverse(f"admin:games_{name}_add"), {"why": "x"}).status_code == 403
    assert judge.post(change(played), {"why": "x"}).status_code == 403
    assert database() == before
    html = judge.get(
        reverse("admin:games_moderationlogentry_change", args=[rows["moderationlogentry"].pk])
    ).content.decode()
    assert WHY in html
    assert rows["moderationlogentry"].hash in html


def test_a_morpion_can_be_decided_as_a_draw(judge, ann, bob):
    from tests.games.play import begin

    game = play_all(begin(ann, bob, now=timezone.now()), ["5"], now=timezone.now())
    do(judge, game, "adjudicate", place_0="1", place_1="1")
    assert places(fresh(game)) == [1, 1]
