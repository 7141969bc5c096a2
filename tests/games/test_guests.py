"""Guests: people who play against programs before they sign up, and what they cannot do."""

from datetime import timedelta

import pytest
from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation

from accounts.guests import create_guest
from accounts.models import User
from games import errors
from games.models import Message, Offer
from games.rules.registry import all_rules
from games.services import thinking
from games.services.clock.timeouts import claim_seat
from games.services.conduct.messages import can_talk, say
from games.services.conduct.reports import report_person
from games.services.endings import resign
from games.services.guests import begin_practice, close_due_guests
from games.services.invitations import (
    Opponent,
    accept,
    ask_rematch,
    challenge,
    invite,
    propose,
)
from games.services.offers import offer_end
from games.services.tables import join_table
from notifications.models import Notice
from notifications.outbox.recipients import make_notices
from notifications.services.addresses import gets_mail
from tests.factories import GuestFactory
from tests.games.play import DAY, SECOND, fresh, play, refused, table

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _fresh_limits(db):
    cache.clear()


@pytest.fixture
def guest(db):
    return GuestFactory(username="guest-40213")


@pytest.fixture
def practice(guest, partner, now):
    """Morpion against the practice partner, the guest to move."""
    return begin_practice(user=guest, rules_slug="morpion", now=now)


def play_now(client, slug="taquet", **more):
    return client.post(reverse("play_now"), {"game": slug}, **more)


# One click ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("slug", [rules.slug for rules in all_rules()])
def test_one_click_makes_a_guest_who_is_to_move(client, partner, slug):
    answer = play_now(client, slug)
    guest = User.objects.get(guest_until__isnull=False)
    (seat,) = guest.seats.all()
    assert answer.url == seat.game.get_absolute_url()
    assert (seat.game.status, seat.game.seat_to_move, seat.number) == ("active", 0, 0)
    assert client.session["_auth_user_id"] == str(guest.pk)
    assert not guest.has_usable_password()
    assert (guest.email, guest.emailaddress_set.count()) == ("", 0)
    assert abs(guest.guest_until - timezone.now() - timedelta(days=30)) < timedelta(minutes=5)
    page = client.get(answer.url).content.decode()
    assert "You play as a guest until" in page
    assert str(guest) in page


def test_a_guest_has_a_name_in_their_language(partner, now):
    with translation.override("fr"):
        guest = create_guest(language="fr", now=now)
    number = guest.username.removeprefix("guest-")
    assert number.isdecimal()
    assert (guest.display_name, guest.language) == (f"Invité {number}", "fr")


def test_a_name_that_is_taken_is_not_given_again(monkeypatch, now):
    numbers = iter([40213, 40213, 40214])
    monkeypatch.setattr("accounts.guests.chance.randrange", lambda *between: next(numbers))
    names = [create_guest(language="en", now=now).username for _ in range(2)]
    assert names == ["guest-40213", "guest-40214"]


def test_an_unknown_game_makes_no_guest(client, partner):
    assert play_now(client, "chess").status_code == 422
    assert not User.objects.filter(guest_until__isnull=False).exists()
    assert "_auth_user_id" not in client.session


def test_a_form_of_another_site_makes_no_guest(partner):
    assert play_now(Client(enforce_csrf_checks=True)).status_code == 403
    assert not User.objects.filter(guest_until__isnull=False).exists()


def test_from_one_address_come_few_guests_in_a_minute(client, partner):
    statuses = []
    for _ in range(11):
        statuses.append(play_now(client).status_code)
        client.cookies.clear()
    assert statuses == [302] * 10 + [429]
    assert User.objects.filter(guest_until__isnull=False).count() == 10


def test_who_has_signed_up_begins_a_game_with_one_click_too(as_ann, ann, partner):
    answer = play_now(as_ann, "morpion")
    assert answer.url == ann.seats.get().game.get_absolute_url()
    assert not User.objects.get(pk=ann.pk).is_guest


def test_the_partner_answers_and_the_game_goes_on(guest, practice, now):
    play(practice, guest, "5", now=now)
    assert thinking.play_for_bots(now=now) == 1
    assert fresh(practice).turn_number == 2


# What guests cannot do ---------------------------------------------------------------------------


def test_a_guest_has_few_games_at_once(guest, practice, now):
    for _ in range(2):
        begin_practice(user=guest, rules_slug="morpion", now=now)
    with refused(errors.GuestGamesEnough, "at most 3 games at once", status=403):
        begin_practice(user=guest, rules_slug="morpion", now=now)
    resign(game_id=practice.pk, user=guest, now=now)
    assert begin_practice(user=guest, rules_slug="morpion", now=now).status == "active"


def test_a_guests_game_is_not_public(guest, partner, now):
    terms = table(GuestFactory(), now=now).terms
    game = propose(
        creator=guest,
        rules_slug="morpion",
        options={},
        terms=terms,
        opponent=Opponent("partner"),
        is_public=True,
        creator_seat=0,
        now=now,
    )
    assert not fresh(game).is_public


ONLY_PROGRAMS = (errors.GuestsPlayPrograms, "against programs only")


@pytest.mark.parametrize("whom", ["anybody", "player", "address", "link"])
def test_a_guest_opens_no_table_for_people(guest, partner, ann, now, whom):
    name = {"player": "ann", "address": "zoe@example.org"}.get(whom, "")
    terms = table(ann, now=now).terms
    with refused(*ONLY_PROGRAMS, status=403):
        propose(
            creator=guest,
            rules_slug="morpion",
            options={},
            terms=terms,
            opponent=Opponent(whom, name),
            is_public=True,
            creator_seat=None,
            now=now,
        )


def test_a_guest_sits_down_at_no_table(guest, ann, now):
    game = table(ann, now=now)
    with refused(*ONLY_PROGRAMS, status=403):
        join_table(game_id=game.pk, user=guest, now=now)


def test_a_guest_accepts_no_invitation_to_an_address(guest, ann, now):
    game = table(ann, now=now)
    invitation = invite(game_id=game.pk, by=ann, email="zoe@example.org", now=now)
    with refused(*ONLY_PROGRAMS, status=403):
        accept(invitation_id=invitation.pk, user=guest, now=now)


def test_a_guest_is_not_challenged(guest, ann, now):
    game = table(ann, now=now)
    with refused(errors.PlayerIsGuest, "plays against programs only", status=409):
        challenge(game_id=game.pk, by=ann, user=guest, now=now)


def test_a_guest_takes_no_seat_over(guest, four, now):
    with refused(*ONLY_PROGRAMS, status=403):
        claim_seat(game_id=four.pk, user=guest, now=now)


def test_a_guest_writes_no_messages(client, guest, practice, now):
    with refused(errors.GuestsDoNotTalk, "can neither write messages nor report", status=403):
        say(game_id=practice.pk, user=guest, text="hello", via=Message.Via.WEB, now=now)
    seat = practice.seats.select_related("user").get(user=guest)
    assert not can_talk(practice, seat, now=now)
    client.force_login(guest)
    assert reverse("game_say", args=[practice.pk]) not in client.get(f"/games/{practice.pk}/").text


def test_a_guest_sends_no_report(guest, ann, now):
    with refused(errors.GuestsDoNotTalk, "can neither write messages nor report", status=403):
        report_person(person=ann, reporter=guest, reason="abuse", text="look", now=now)


def test_a_guest_plays_again_against_the_same_programs(guest, practice, now):
    resign(game_id=practice.pk, user=guest, now=now)
    assert ask_rematch(game_id=practice.pk, user=guest, now=now).status == "active"


def test_a_guest_agrees_with_programs_to_end_a_game(guest, practice, now):
    play(practice, guest, "5", now=now)
    thinking.play_for_bots(now=now)
    offer_end(game_id=practice.pk, user=guest, now=now)
    thinking.play_for_bots(now=now)
    assert fresh(practice).is_over
    assert Offer.objects.get().state == "accepted"


def test_no_mail_is_written_to_a_guest(guest, practice, now):
    play(practice, guest, "5", now=now)
    thinking.play_for_bots(now=now)
    make_notices(now=now)
    assert not Notice.objects.filter(user=guest).exists()
    guest.emailaddress_set.create(email="zoe@example.org", verified=True, primary=True)
    assert not gets_mail(guest)


def test_a_refused_guest_is_led_to_sign_up(client, guest, ann):
    game = table(ann, now=timezone.now())
    client.force_login(guest)
    answer = client.post(reverse("table_join", args=[game.pk]), headers={"Accept": "text/html"})
    assert answer.status_code == 403
    assert answer.text.count(reverse("account_signup")) >= 2


# The end of their time ---------------------------------------------------------------------------


def test_a_guest_who_has_not_signed_up_in_time_is_gone(client, partner):
    play_now(client)
    guest = User.objects.get(guest_until__isnull=False)
    game = guest.seats.get().game
    client.get("/")
    assert close_due_guests(now=guest.guest_until - SECOND) == 0
    assert close_due_guests(now=guest.guest_until) == 1
    gone = User.objects.get(pk=guest.pk)
    assert (gone.is_active, gone.guest_until) == (False, None)
    assert (gone.username, gone.display_name) == (f"former-guest-{gone.pk}", "")
    assert not UserSession.objects.filter(user=gone).exists()
    assert not Session.objects.exists()
    assert (fresh(game).status, fresh(game).ending) == ("aborted", "aborted")
    assert 'class="welcome"' in client.get("/").text
    assert close_due_guests(now=guest.guest_until) == 0


def test_games_that_are_over_stay_as_they_are(guest, practice, now):
    resign(game_id=practice.pk, user=guest, now=now)
    close_due_guests(now=guest.guest_until)
    assert (fresh(practice).status, fresh(practice).ending) == ("finished", "resigned")


def test_who_has_signed_up_meanwhile_stays(monkeypatch, guest, practice, now):
    """They confirm their address after the task has found them, before it locks their row."""
    until = guest.guest_until

    def lock_games(keys):
        User.objects.filter(pk=guest.pk).update(guest_until=None)

    monkeypatch.setattr("games.services.guests.lock_games", lock_games)
    assert close_due_guests(now=until + DAY) == 0
    assert User.objects.get(pk=guest.pk).is_active
    assert not fresh(practice).is_over


# The first game after signing up -----------------------------------------------------------------


def test_a_player_without_games_is_offered_the_first(as_ann, ann, bob, partner):
    waiting = table(bob, now=timezone.now())
    page = as_ann.get("/").text
    assert page.count(f'action="{reverse("play_now")}"') == len(all_rules())
    assert reverse("table_join", args=[waiting.pk]) in page
    play_now(as_ann, "morpion")
    assert f'action="{reverse("play_now")}"' not in as_ann.get("/").text
