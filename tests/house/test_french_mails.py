"""French readers read French in every mail; English readers English."""

from datetime import timedelta

import pytest
from django.conf import settings
from django.urls import reverse
from django.utils import timezone

from games.rules.registry import rules_for
from games.services import deadlines, endings, invitations, offers, reminders, tables
from games.services.conduct.messages import say
from notifications.emails.game_context import MOST_MESSAGES
from notifications.incoming.processing import answer_stranger
from notifications.models import Cadence, Kind
from notifications.outbox.digests import send_digests
from notifications.services import address_trials, addresses
from notifications.services.preferences import save_digest_schedule, set_cadence
from tests.factories import PersonFactory
from tests.games.moderating import a_moderator, all_game_actions, lose_on_time
from tests.games.play import begin, play, play_all, table
from tests.house.languages import assert_speaks, full_table, sent

pytestmark = pytest.mark.django_db


def mails_of_a_game(house):
    """Let a game be played with an offer of each answer, a reminder and a loss on time."""
    game, now = house.mine, house.now
    yield from sent(now)
    play(game, house.reader, "5", now=now)
    yield from sent(now)
    for who, answer in (
        (house.reader, offers.decline_offer),
        (house.other, offers.withdraw_offer),
    ):
        offers.offer_end(game_id=game.pk, user=who, now=now)
        yield from sent(now)
        answer(game_id=game.pk, user=house.other, now=now)
        yield from sent(now)
    late = now + timedelta(days=1.75)
    reminders.remind_due(now=late)
    yield from sent(late)
    play(game, house.other, "1", now=late)
    deadlines.time_out_due(now=late + timedelta(days=3))
    yield from sent(late + timedelta(days=3))


def mails_of_endings(house):
    """Let games end in every other way."""
    now = house.now
    for end in (endings.resign, endings.abort):
        end(game_id=begin(house.reader, house.other, now=now).pk, user=house.reader, now=now)
        yield from sent(now)
    for slug, turns in [("morpion", "51423"), ("morpion", "512374698")]:
        play_all(begin(house.reader, house.other, now=now, slug=slug), turns, now=now)
        yield from sent(now)
    begin(house.reader, house.other, now=now)
    deadlines.time_out_due(now=now + timedelta(days=3))
    yield from sent(now + timedelta(days=3))


def mails_of_several(house):
    """Let one of four run out of time, two resign, and the last one win."""
    now, rules = house.now, rules_for("superpion")
    game = full_table(house, rules)
    yield from sent(now)
    play(game, house.reader, "e3-e5, m3-m5", now=now)
    yield from sent(now)
    now += timedelta(days=3)
    deadlines.time_out_due(now=now)
    yield from sent(now)
    for seat in game.seats.filter(number__gt=1):
        endings.resign(game_id=game.pk, user=seat.user, now=now)
        yield from sent(now)


def mails_of_talk(house):
    """Let people talk, hear of several things in one mail, and of everything in a digest."""
    game, now = house.mine, house.now
    sent(now)
    for number in range(MOST_MESSAGES + 1):
        speak(game, house.other, f"1 + 1 = {number}", now)
    yield from sent(now)
    play(game, house.reader, "5", now=now)
    offers.offer_end(game_id=game.pk, user=house.reader, now=now)
    full_table(house, rules_for("superpion"))
    yield from sent(now)
    plan = {"later_hours": 8, "digest_every": 24, "digest_hour": 8, "now": now}
    due = save_digest_schedule(user=house.reader, **plan).digest_due_at
    for kind in (Kind.MESSAGE, Kind.GAME_OVER):
        set_cadence(user=house.reader, kind=kind, cadence=Cadence.DIGEST)
    speak(game, house.other, "2 + 2 = 4", now)
    over = begin(house.reader, house.other, now=now)
    endings.resign(game_id=over.pk, user=house.other, now=now)
    yield from sent(now)
    send_digests(now=due)
    yield from sent(due)


def speak(game, user, text, now):
    say(game_id=game.pk, user=user, text=text, via="web", now=now)


def mails_of_moderators(house):
    """Let a moderator do everything that players are told of."""
    now, game = house.now, full_table(house, rules_for("superpion"))
    play(game, house.reader, "e3-e5, m3-m5", now=now)
    yield from sent(now)
    # What a moderator writes is in a language of their own: here it is none.
    acts = all_game_actions(
        game, PersonFactory(username="quentin", language=house.language), timedelta(days=1)
    )
    quiet = ("make-private", "make-public", "verify", "abort")
    last = ("withdraw", "adjudicate")
    names = [name for name in acts if name not in (*quiet, *last)]
    for name in (*names, *last):
        if name == "reopen":
            lose_on_time(game, now=now)
            yield from sent(now)
        acts[name](by=a_moderator("mo"), why="42", now=now)
        yield from sent(now)


def mails_of_tables(house):
    """Let people be asked to tables, decline, leave, withdraw, and wait in vain."""
    now, ours = house.now, {"now": house.now, "by": house.reader}
    asked = invitations.challenge(
        game_id=table(house.reader, now=now, is_public=False).pk, user=house.other, **ours
    )
    invitations.invite(game_id=table(house.reader, now=now).pk, email="eve@example.org", **ours)
    yield from sent(now)
    invitations.decline(invitation_id=asked.pk, user=house.other, now=now)
    yield from sent(now)
    tables.expire_due(now=now + settings.UNANSWERED_TABLE_LIFETIME)
    yield from sent(now + settings.UNANSWERED_TABLE_LIFETIME)


def mails_of_accounts(house):
    """Let codes and a new password be asked for, with and without an account."""
    house.client.logout()
    house.client.cookies[settings.LANGUAGE_COOKIE_NAME] = house.language
    for name in ("account_request_login_code", "account_reset_password"):
        for address in (house.reader.email, "nobody@example.org"):
            house.post(reverse(name), email=address)
    for address in (house.reader.email, "eve@example.org"):
        told = {"username": "eve", "email": address, "password1": "four cats and a hat 7"}
        house.post(reverse("account_signup"), **told)
    yield from sent(timezone.now())


def mails_about_addresses(house):
    """Let an address be tried again, and a stranger write to a reply address."""
    reader, now = house.reader, house.now
    addresses.suspend_address(address=reader.email, diagnostic="550", notice=None, now=now)
    address_trials.try_address(user=reader, address=reader.email, now=now)
    for reason in ("stranger", "unconfirmed"):
        answer_stranger(address="eve@example.org", reason=reason, language=house.language, now=now)
    yield from sent(now)


@pytest.mark.parametrize(
    ("story", "kinds"),
    [
        (
            mails_of_a_game,
            {Kind.GAME_BEGUN, Kind.YOUR_TURN, Kind.OFFER, Kind.REMINDER, Kind.GAME_OVER},
        ),
        (mails_of_endings, {Kind.GAME_OVER}),
        (mails_of_several, {Kind.PLAYER_LEFT, Kind.GAME_OVER}),
        (mails_of_talk, {Kind.MESSAGE, Kind.YOUR_TURN, Kind.GAME_BEGUN, Kind.DIGEST}),
        (mails_of_moderators, {Kind.MODERATED, Kind.GAME_OVER}),
        (mails_of_tables, {Kind.CHALLENGE, Kind.INVITATION, Kind.TABLE_NEWS}),
        (mails_of_accounts, {Kind.ACCOUNT}),
        (mails_about_addresses, {Kind.ACCOUNT}),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
@pytest.mark.slow
def test_every_mail(house, story, kinds):
    mails = list(story(house))
    assert kinds <= {kind for kind, _ in mails}
    for _, text in mails:
        assert_speaks(house.language, text)
