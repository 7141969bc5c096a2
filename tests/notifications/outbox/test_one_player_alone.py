"""What one player can do alone, over and over: another person gets few mails because of it."""

from collections import Counter
from contextlib import suppress
from datetime import timedelta
from itertools import cycle

import pytest
from django.core import mail

from games import errors
from games.clock.time_control import per_turn
from games.models import Invitation, Message
from games.services import endings, invitations, offers, tables
from games.services.clock.added_time import grant_time
from games.services.conduct.messages import say
from notifications.models import Kind, Notice
from notifications.outbox.recipients import make_notices
from tests.factories import BotFactory
from tests.games.play import DAY, begin, fresh, refused, table
from tests.notifications.outgoing_mail import sent

EVERY = timedelta(minutes=30)
HOUR = timedelta(hours=1)

FEW = 10
"""Mails in a day because of one player, besides those that tell of turns, starts and ends."""

OF_THE_GAME = {Kind.YOUR_TURN, Kind.GAME_BEGUN, Kind.GAME_OVER, Kind.REMINDER}


def mails_of_a_day(deeds, now):
    """Let everything be tried every half an hour; return how many mails of each kind bob got.

    What is refused is tried again the next time, as a program would.
    """
    sends = Counter()
    end = now + DAY
    while now < end:
        for deed in deeds:
            with suppress(errors.Refusal):
                deed(now)
        make_notices(now=now)
        now += EVERY
        sends.update(kind for name, kind in sent(now) if name.startswith("bob"))
    return sends


def nagging(sends):
    return sum(count for kind, count in sends.items() if kind not in OF_THE_GAME)


def challenging(ann, bob):
    def deed(now):
        game = table(ann, now=now)
        invitations.challenge(game_id=game.pk, by=ann, user=bob, now=now)
        sent_then_withdrawn.append(game)

    def withdraw(now):
        while sent_then_withdrawn:
            tables.withdraw_table(game_id=sent_then_withdrawn.pop().pk, user=ann, now=now)

    sent_then_withdrawn = []
    return [withdraw, deed]


def declining(ann, bob):
    """Bob declines each challenge at once; ann asks again."""

    def decline(now):
        for one in Invitation.objects.open().filter(user=bob):
            invitations.decline(invitation_id=one.pk, user=bob, now=now)

    return [decline, *challenging(ann, bob)]


def inviting(ann, bob):
    """Ann invites the address that bob reads, with and without tags."""
    addresses = cycle(["bob@example.org", "BOB+one@example.org", "bob+two@example.org"])

    def deed(now):
        game = table(ann, now=now)
        invitations.invite(game_id=game.pk, by=ann, email=next(addresses), now=now)

    return [deed]


def rematches(ann, bob, now):
    over = [begin(ann, bob, now=now) for _ in range(12)]
    for game in over:
        endings.resign(game_id=game.pk, user=ann, now=now)

    def deed_at(game):
        def deed(now):
            if game.rematch is not None:
                tables.withdraw_table(game_id=game.rematch.pk, user=ann, now=now)
            invitations.ask_rematch(game_id=game.pk, user=ann, now=now)

        return deed

    return [deed_at(game) for game in over]


def offering(games, ann):
    def deed_at(game, make):
        def deed(now):
            open_one = game.offers.open().filter(seat__user=ann).first()
            if open_one is not None:
                offers.withdraw_offer(game_id=game.pk, user=ann, offer_id=open_one.pk, now=now)
            make(game_id=game.pk, user=ann, now=now)

        return deed

    makes = [
        offers.offer_end,
        lambda **how: offers.offer_pause(days=3, **how),
        lambda **how: offers.offer_pace(pace=per_turn(5 * DAY), **how),
    ]
    return [deed_at(game, make) for game in games for make in makes]


def granting(games, ann):
    return [lambda now, game=game: grant_time(game_id=game.pk, user=ann, now=now) for game in games]


def talking(games, ann):
    def deed_at(game):
        def deed(now):
            say(game_id=game.pk, user=ann, text=f"And {now}", via=Message.Via.WEB, now=now)

        return deed

    return [deed_at(game) for game in games]


def coming_and_going(ann, bob, now):
    waiting = [
        table(bob, now=now, slug="superpion", options={"variant": "four"}) for _ in range(12)
    ]

    def deed_at(game):
        def deed(now):
            tables.join_table(game_id=game.pk, user=ann, now=now)
            tables.leave_table(game_id=game.pk, user=ann, now=now)

        return deed

    return [deed_at(game) for game in waiting]


@pytest.fixture
def games(ann, bob, now):
    """Games in which bob is to move: ann can do all but play."""
    return [begin(bob, ann, now=now, days=30) for _ in range(4)]


@pytest.fixture
def quiet(bob, now):
    """Bob has been told of everything so far."""

    def forget():
        make_notices(now=now)
        Notice.objects.filter(state=Notice.State.WAITING).delete()
        mail.outbox.clear()

    return forget


WAYS = {
    "challenging": lambda ann, bob, games, now: challenging(ann, bob),
    "declining": lambda ann, bob, games, now: declining(ann, bob),
    "inviting": lambda ann, bob, games, now: inviting(ann, bob),
    "rematches": lambda ann, bob, games, now: rematches(ann, bob, now),
    "offering": lambda ann, bob, games, now: offering(games, ann),
    "granting": lambda ann, bob, games, now: granting(games, ann),
    "talking": lambda ann, bob, games, now: talking(games, ann),
    "coming and going": lambda ann, bob, games, now: coming_and_going(ann, bob, now),
}


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
def test_one_player_alone_causes_few_mails_a_day(way, ann, bob, games, quiet, now, settings):
    settings.TABLES_A_DAY = 1000
    deeds = WAYS[way](ann, bob, games, now)
    quiet()
    sends = mails_of_a_day(deeds, now)
    assert 0 < nagging(sends) <= FEW, sends


@pytest.mark.slow
def test_nor_does_everything_at_once(ann, bob, games, quiet, now, settings):
    settings.TABLES_A_DAY = 1000
    deeds = [deed for way in WAYS.values() for deed in way(ann, bob, games, now)]
    quiet()
    sends = mails_of_a_day(deeds, now)
    assert 0 < nagging(sends) - sends["invitation"] <= FEW, sends
    assert sends["invitation"] <= settings.INVITATIONS_TO_AN_ADDRESS


# What is refused, and what only waits ----------------------------------------------------------


def test_after_ten_challenges_in_a_day_the_eleventh_is_refused(ann, bob, cat, now, settings):
    for _ in range(settings.ASKS_A_DAY):
        game = table(ann, now=now)
        invitations.challenge(game_id=game.pk, by=ann, user=bob, now=now)
    game = table(ann, now=now)
    with refused(errors.AskedEnough, "You have sent bob 10 challenges, offers and", status=429):
        invitations.challenge(game_id=game.pk, by=ann, user=bob, now=now)
    assert invitations.challenge(game_id=game.pk, by=ann, user=cat, now=now)
    tomorrow = now + DAY
    game = table(ann, now=tomorrow)
    assert invitations.challenge(game_id=game.pk, by=ann, user=bob, now=tomorrow)


def test_offers_and_gifts_of_time_count_with_the_challenges(ann, bob, games, now, settings):
    settings.ASKS_A_DAY = 3
    first, second, *_ = games
    offers.offer_end(game_id=first.pk, user=ann, now=now)
    grant_time(game_id=first.pk, user=ann, now=now)
    offers.offer_pause(game_id=first.pk, user=ann, days=3, now=now)
    for ask in (offers.offer_end, grant_time):
        with refused(errors.AskedEnough, "bob 3 challenges, offers and gifts of time", status=429):
            ask(game_id=second.pk, user=ann, now=now)
    other = table(ann, now=now)
    with refused(errors.AskedEnough, "Try again tomorrow.", status=429):
        invitations.challenge(game_id=other.pk, by=ann, user=bob, now=now)
    assert offers.offer_end(game_id=second.pk, user=bob, now=now).state == "open"


def test_a_bot_can_be_asked_without_limit(ann, now, settings):
    partner = BotFactory(username=settings.PRACTICE_PARTNER_USERNAME)
    settings.ASKS_A_DAY = 1
    for _ in range(3):
        game = table(ann, now=now)
        assert invitations.challenge(game_id=game.pk, by=ann, user=partner, now=now)


def test_an_address_that_answers_nothing_is_not_invited_again_and_again(ann, cat, now):
    for _ in range(3):
        game = table(ann, now=now)
        invitations.invite(game_id=game.pk, by=ann, email="zoe@example.org", now=now)
        tables.withdraw_table(game_id=game.pk, user=ann, now=now)
    game = table(ann, now=now)
    for email in ("zoe@example.org", "zoe+again@example.org"):
        with refused(errors.InvitedEnough, "3 times within 30 days without success", status=429):
            invitations.invite(game_id=game.pk, by=ann, email=email, now=now)
    assert invitations.invite(game_id=game.pk, by=ann, email="yan@example.org", now=now)
    later = now + 30 * DAY
    game = table(ann, now=later)
    assert invitations.invite(game_id=game.pk, by=ann, email="zoe@example.org", now=later)


def test_messages_that_nobody_answers_wait_and_come_together(games, ann, bob, quiet, now, settings):
    settings.MAILS_FROM_A_PLAYER = 2
    quiet()
    game = games[0]

    def speak(text, now):
        say(game_id=game.pk, user=ann, text=text, via=Message.Via.WEB, now=now)
        make_notices(now=now)
        return sent(now + EVERY)

    to_bob = [("bob", "message")]
    assert speak("one", now) == speak("two", now + HOUR) == to_bob
    assert speak("three", now + 2 * HOUR) == speak("four", now + 3 * HOUR) == []
    assert sent(now + DAY + EVERY) == to_bob
    assert "three" in mail.outbox[0].body
    assert "four" in mail.outbox[0].body


def test_a_conversation_is_never_held_back(games, ann, bob, quiet, now, settings):
    settings.MAILS_FROM_A_PLAYER = 2
    quiet()
    game = fresh(games[0])
    for number in range(8):
        at = now + number * HOUR
        say(game_id=game.pk, user=ann, text=f"ann {number}", via=Message.Via.WEB, now=at)
        make_notices(now=at)
        assert ("bob", "message") in sent(at + EVERY)
        at += 2 * EVERY
        say(game_id=game.pk, user=bob, text=f"bob {number}", via=Message.Via.MAIL, now=at)
        make_notices(now=at)
        assert ("ann", "message") in sent(at + EVERY)


def test_what_ann_causes_does_not_hold_back_what_cat_causes(ann, bob, cat, quiet, now, settings):
    settings.MAILS_FROM_A_PLAYER = 1
    for by, at in ((ann, now), (ann, now + HOUR), (cat, now + 2 * HOUR)):
        game = table(by, now=at)
        invitations.challenge(game_id=game.pk, by=by, user=bob, now=at)
        make_notices(now=at)
        assert sent(at + EVERY) == ([] if at == now + HOUR else [("bob", "challenge")])
