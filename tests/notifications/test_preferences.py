"""Choosing which mail one gets, signed in and by the link in a mail."""

from datetime import timedelta

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.html import escape

from notifications.models import (
    Cadence,
    DigestSchedule,
    Kind,
    MailPreference,
    Notice,
    PuzzleSubscription,
    SkipReason,
)
from notifications.outbox.recipients import make_notices
from notifications.services.preferences import save_digest_schedule, set_cadence
from notifications.services.unsubscribe import unsubscribe_token
from tests.notifications.outgoing_mail import play, tell

ONE_CLICK = "List-Unsubscribe=One-Click"
PAGE = "/settings/mail/"

AT_ONCE = dict.fromkeys(("reminder", "league", "ladder", "tournament", "club"), "at-once")
"""Letters that do not wait: only these and "off" can be chosen for them."""


def off(user):
    chosen = MailPreference.objects.filter(user=user, cadence=Cadence.OFF)
    return set(chosen.values_list("kind", flat=True))


HOURS = {"digest": "", "digest_hour": 8, "later_hours": 8}
WITHOUT = (
    *(Kind.ACCOUNT, Kind.ANSWER, Kind.INVITATION, Kind.DIGEST, Kind.STAFF_DIGEST),
    Kind.PUZZLE,  # is sent to who wishes, and has a box
)


def everything(cadence):
    return {kind.value: cadence for kind in Kind if kind not in WITHOUT} | HOURS


# Signed in ---------------------------------------------------------------------------------------


def test_the_settings_page_asks_a_stranger_to_sign_in(client, db):
    response = client.get(PAGE)
    assert response.status_code == 302
    assert reverse("account_login") in response["Location"]


def test_the_settings_page_asks_once_for_all_that_was_chosen(
    client, ann, django_assert_max_num_queries
):
    client.force_login(ann)
    client.get(PAGE)
    with django_assert_max_num_queries(8):
        client.get(PAGE)


def test_the_settings_page_shows_what_was_chosen(client, ann):
    set_cadence(user=ann, kind=Kind.REMINDER, cadence=Cadence.OFF)
    client.force_login(ann)
    form = client.get(PAGE).context["form"]
    chosen = {name: form[name].initial for name in form.fields}
    looks = {"mail_pictures": True, "mail_confirmations": True, "puzzles": False}
    assert chosen == everything("at-once") | looks | {"reminder": "off"}


def test_the_box_of_the_puzzle_subscribes_and_ends_it(client, ann):
    client.force_login(ann)
    client.post(PAGE, everything("at-once") | {"puzzles": "on"})
    due = PuzzleSubscription.objects.get(user=ann).due_at
    assert due.astimezone(ann.zone).hour == HOURS["digest_hour"]
    assert client.get(PAGE).context["form"]["puzzles"].initial is True
    client.post(PAGE, everything("at-once"))
    assert not PuzzleSubscription.objects.exists()


def test_how_mails_look_is_kept(client, ann):
    client.force_login(ann)
    client.post(PAGE, everything("at-once") | {"mail_pictures": "on"})
    ann.refresh_from_db()
    assert (ann.mail_pictures, ann.mail_confirmations) == (True, False)


def test_choices_are_kept(client, ann, bob):
    client.force_login(ann)
    response = client.post(PAGE, everything("at-once") | {"your-turn": "off"})
    assert response.status_code == 302
    assert off(ann) == {"your-turn"}
    client.post(PAGE, everything("at-once"))
    assert off(ann) == set()
    assert not MailPreference.objects.filter(user=bob).exists()


@pytest.mark.parametrize("bad", [{"your-turn": "hourly"}, {"your-turn": ""}, {"your-turn": "\0"}])
def test_a_choice_that_there_is_not_changes_nothing(client, ann, bad):
    client.force_login(ann)
    response = client.post(PAGE, everything("off") | bad)
    assert response.status_code == 200
    assert response.context["form"].errors
    assert off(ann) == set()


def test_account_mail_cannot_be_switched_off(client, ann):
    client.force_login(ann)
    client.post(PAGE, everything("at-once") | {"account": "off", "invitation": "off"})
    assert off(ann) == set()


def test_mail_that_is_switched_off_is_not_sent_and_says_why(game, ann, bob, now):
    tell(now)
    mail.outbox.clear()
    set_cadence(user=bob, kind=Kind.YOUR_TURN, cadence=Cadence.OFF)
    play(game, ann, "5", now)
    tell(now)
    assert mail.outbox == []
    dropped = Notice.objects.get(kind=Kind.YOUR_TURN)
    assert dropped.state == Notice.State.DROPPED
    assert dropped.skip_reason == SkipReason.SWITCHED_OFF


def test_switching_one_kind_off_leaves_the_others_and_other_people_alone(game, ann, bob, now):
    set_cadence(user=bob, kind=Kind.GAME_BEGUN, cadence=Cadence.OFF)
    tell(now)
    play(game, ann, "5", now)
    tell(now)
    begun = [m for m in mail.outbox if m.extra_headers["X-Pli-Kind"] == "game-begun"]
    turns = [m for m in mail.outbox if m.extra_headers["X-Pli-Kind"] == "your-turn"]
    assert [m.to for m in begun] == [[ann.email]]
    assert [m.to for m in turns] == [[bob.email]]


# By the link in a mail ----------------------------------------------------------------------------


@pytest.fixture
def link(game, ann, bob, now):
    """The address in List-Unsubscribe of bob's mail about his turn, without scheme and host."""
    play(game, ann, "5", now)
    tell(now)
    (turn,) = [m for m in mail.outbox if m.extra_headers["X-Pli-Kind"] == "your-turn"]
    return turn.extra_headers["List-Unsubscribe"].strip("<>").removeprefix("http://localhost:8000")


@pytest.fixture
def stranger():
    """Somebody not signed in, in a browser (or mail program) that sends no CSRF token."""
    return Client(enforce_csrf_checks=True)


@pytest.mark.parametrize("method", ["get", "head"])
def test_looking_at_the_link_changes_nothing(stranger, link, bob, method):
    response = getattr(stranger, method)(link)
    assert response.status_code == 200
    assert off(bob) == set()


def test_the_link_shows_a_button_in_the_readers_language(stranger, link):
    page = stranger.get(link).content.decode()
    assert '<form method="post"' in page
    assert '<html lang="fr"' in page


def test_pressing_the_button_switches_that_kind_off_for_that_person(stranger, link, ann, bob):
    assert stranger.post(link).status_code == 200
    assert off(bob) == {"your-turn"}
    assert off(ann) == set()


def test_a_mail_programs_one_click_switches_it_off(stranger, link, bob):
    response = stranger.post(link, ONE_CLICK, content_type="application/x-www-form-urlencoded")
    assert response.status_code == 200
    assert off(bob) == {"your-turn"}


def test_once_is_enough_and_twice_does_no_harm(stranger, link, bob):
    stranger.post(link)
    assert stranger.post(link).status_code == 200
    assert off(bob) == {"your-turn"}
    assert '<form method="post">' not in stranger.get(link).content.decode()


def test_the_link_works_with_any_user_signed_in(client, link, cat, bob):
    client.force_login(cat)
    client.post(link)
    assert off(bob) == {"your-turn"}
    assert off(cat) == set()


@pytest.mark.parametrize("method", ["get", "post"])
@pytest.mark.parametrize(
    "spoil",
    [
        lambda token: token[:-1] + ("A" if token[-1] != "A" else "B"),
        lambda token: token.replace("your-turn", "game-over"),
        lambda token: "999" + token,
        lambda token: "x",
        lambda token: "ann:your-turn:é\x00",
    ],
)
def test_a_changed_link_is_refused_with_a_sentence(stranger, bob, method, spoil):
    token = spoil(unsubscribe_token(bob, "your-turn"))
    response = getattr(stranger, method)(reverse("unsubscribe", args=[token]))
    assert response.status_code == 404
    assert "This link does not work" in response.content.decode()
    assert not MailPreference.objects.exists()


@pytest.mark.parametrize("kind", ["account", "invitation", "no-such-kind"])
def test_a_link_for_what_cannot_be_switched_off_is_refused(stranger, bob, kind):
    link = reverse("unsubscribe", args=[unsubscribe_token(bob, kind)])
    assert stranger.post(link).status_code == 404
    assert not MailPreference.objects.exists()


def test_the_link_of_a_deleted_account_is_refused(stranger, bob):
    link = reverse("unsubscribe", args=[unsubscribe_token(bob, "your-turn")])
    bob.delete()
    assert stranger.get(link).status_code == 404


def test_other_methods_are_refused(stranger, bob):
    link = reverse("unsubscribe", args=[unsubscribe_token(bob, "your-turn")])
    assert stranger.put(link).status_code == 405


# The digest and later --------------------------------------------------------------------------


def test_the_hours_are_kept_and_the_digest_is_due_at_the_readers_hour(client, ann):
    client.force_login(ann)
    hours = {"digest": 24, "digest_hour": 7, "later_hours": 12}
    response = client.post(
        PAGE,
        everything("digest") | AT_ONCE | hours,
    )
    assert response.status_code == 302
    plan = DigestSchedule.objects.get()
    assert (plan.user, plan.later_hours, plan.digest_every, plan.digest_hour) == (ann, 12, 24, 7)
    assert plan.digest_due_at > timezone.now()
    assert plan.digest_due_at.astimezone(ann.zone).strftime("%H:%M") == "07:00"
    form = client.get(PAGE).context["form"]
    assert form["digest"].initial == 24
    assert form["your-turn"].initial == "digest"


def test_mail_in_a_digest_needs_a_digest(client, ann):
    client.force_login(ann)
    response = client.post(PAGE, everything("at-once") | {"message": "digest"})
    assert response.status_code == 200
    assert "Choose when the digest comes" in response.content.decode()
    assert not MailPreference.objects.exists()
    assert not DigestSchedule.objects.exists()


@pytest.mark.parametrize("cadence", ["later", "digest"])
def test_a_reminder_cannot_come_late(client, ann, cadence):
    client.force_login(ann)
    hours = {"digest": 24, "digest_hour": 7}
    response = client.post(PAGE, everything("at-once") | {"reminder": cadence} | hours)
    assert response.status_code == 200
    assert response.context["form"].errors.keys() == {"reminder"}


@pytest.mark.parametrize(
    "bad", [{"digest": 5}, {"digest_hour": 24}, {"later_hours": 0}, {"later_hours": "\0"}]
)
def test_hours_that_there_are_not_change_nothing(client, ann, bad):
    client.force_login(ann)
    response = client.post(PAGE, everything("off") | bad)
    assert response.status_code == 200
    assert response.context["form"].errors.keys() == bad.keys()
    assert not DigestSchedule.objects.exists()


def test_every_cadence_is_explained_on_the_page(client, ann):
    client.force_login(ann)
    page = client.get(PAGE).content.decode()
    for cadence in Cadence:
        assert f"<dt>{escape(cadence.label)}</dt>" in page


def test_stopping_the_digest_by_its_link_switches_off_what_it_brought(stranger, ann):
    now = timezone.now()
    save_digest_schedule(user=ann, later_hours=8, digest_every=24, digest_hour=8, now=now)
    set_cadence(user=ann, kind=Kind.MESSAGE, cadence=Cadence.DIGEST)
    link = reverse("unsubscribe", args=[unsubscribe_token(ann, "digest")])
    assert stranger.get(link).status_code == 200
    assert DigestSchedule.objects.get().digest_every == 24
    assert stranger.post(link).status_code == 200
    assert DigestSchedule.objects.get().digest_every is None
    assert off(ann) == {"digest", "message"}


def test_choosing_a_digest_again_undoes_having_stopped_it(client, ann):
    set_cadence(user=ann, kind=Kind.DIGEST, cadence=Cadence.OFF)
    client.force_login(ann)
    client.post(PAGE, everything("at-once") | {"digest": 24, "digest_hour": 7})
    assert off(ann) == set()


def test_waiting_notices_follow_a_new_choice_at_once(client, game, ann, now):
    make_notices(now=now)
    client.force_login(ann)
    choices = everything("later") | {
        "reminder": "at-once",
        "league": "at-once",
        "ladder": "at-once",
        "tournament": "at-once",
        "club": "at-once",
    }
    client.post(PAGE, choices)
    waiting = Notice.objects.get(user=ann)
    assert waiting.due_at >= timezone.now() - timedelta(minutes=1)
