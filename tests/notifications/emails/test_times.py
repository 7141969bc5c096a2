"""Paces, times and seats taken over, as mails say them."""

from datetime import timedelta

import pytest
from django.core import mail

from accounts.models import Vacation
from games.clock.time_control import PaceKind, TimeControl, per_turn
from games.models import Terms
from games.services.clock.timeouts import claim_seat
from games.services.deadlines import time_out_due
from games.services.invitations import challenge, invite
from tests.factories import PersonFactory
from tests.games.multiplayer import gather, play_on, some_turn
from tests.games.play import DAY, SECOND, begin, fresh, play, table
from tests.notifications.outgoing_mail import forget, html_of, tell, told

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)
FISCHER = TimeControl(PaceKind.FISCHER, DAY, 7 * DAY, 14 * DAY)
SAID = "7 days at the start, 1 day more after each turn, 14 days at most"


def mails(now):
    """Send what is due; return each reader's mail."""
    mail.outbox.clear()
    tell(now)
    return {message.to[0].removesuffix("@example.org"): message for message in mail.outbox}


def start(people, now, *, variant, fate):
    """Begin a game of four in which ann has played; bob is to move, and all have been told."""
    terms = Terms(per_turn(2 * DAY), on_timeout=fate)
    game = play_on(gather(people, now=now, variant=variant, terms=terms), 1, now=now)
    told(now)
    forget()
    return game


def test_the_mail_that_begins_a_game_names_its_pace_in_the_readers_language(ann, bob, now):
    begin(ann, bob, now=now, terms=Terms(FISCHER))
    found = mails(now)
    assert f"The pace: {SAID}." in found["ann"].body.replace("\n", " ")
    assert "7 jours au début, 1 jour de plus après chaque coup" in found["bob"].body.replace(
        "\n", " "
    )


def test_a_challenge_and_an_invitation_name_the_pace(ann, bob, now):
    bob.language = "en"
    bob.save()
    waiting = table(ann, now=now, terms=Terms(FISCHER), slug="superpion")
    challenge(game_id=waiting.pk, by=ann, user=bob, now=now)
    invite(game_id=waiting.pk, by=ann, email="zoe@example.org", now=now)
    found = mails(now)
    assert SAID in found["bob"].body.replace("\n", " ")
    assert SAID in found["zoe"].body.replace("\n", " ")


def test_a_mail_tells_the_time_of_both(ann, bob, now):
    game = begin(ann, bob, now=now, terms=Terms(FISCHER))
    told(now)
    forget()
    play(game, ann, "5", now=now + 2 * DAY)
    message = mails(now + 2 * DAY)["bob"]
    assert "Temps restant\N{NO-BREAK SPACE}:\nann\N{NO-BREAK SPACE}: 6 jours\n" in message.body
    # The mail was held for a moment, in which bob's time ran.
    assert "bob\N{NO-BREAK SPACE}: 6 jours, 23 heures" in message.body
    assert "ann&nbsp;: 6 jours" in html_of(message)


def test_a_mail_says_until_when_the_clock_is_stopped_in_the_readers_zone(ann, bob, now):
    Vacation.objects.create(user=bob, begins_at=now, ends_at=now + 5 * DAY, announced_at=now)
    game = begin(ann, bob, now=now)
    told(now)
    forget()
    play(game, ann, "5", now=now + HOUR)
    body = mails(now + HOUR)["bob"].body.replace("\n", " ")
    assert "La pendule est arrêtée jusqu’au dimanche 15 mars 2026 à 13:00 (Europe/Paris)." in body
    assert "bob est en vacances." in body
    assert "mardi 17 mars 2026 à 13:00" in body  # the deadline: two days after they are back


def test_all_players_are_told_of_the_search_for_a_substitute(people, now):
    game = start(people, now, variant="four", fate="substitute")
    late = game.deadline + SECOND
    time_out_due(now=late)
    found = mails(late)
    assert set(found) == {"ann", "bob", "cat", "dan"}
    assert "bob ran out of time. The game is looking for a substitute." in found["ann"].body
    assert "You ran out of time. Somebody else may take your seat over now" in found["bob"].body
    for message in found.values():
        assert message.subject.startswith("Superpion with ")
        assert "The clock is stopped until" in message.body
        assert "It is your turn" not in message.body
        assert "Play your turn" not in message.body


def test_the_others_are_told_who_took_the_seat_over(people, now):
    game = start(people, now, variant="four", fate="substitute")
    late = game.deadline + SECOND
    time_out_due(now=late)
    told(late)
    forget()
    eve = PersonFactory(username="eve")
    claim_seat(game_id=game.pk, user=eve, now=late)
    found = mails(late)
    assert set(found) == {"ann", "cat", "dan"}
    assert "eve plays on from where bob ran out of time." in found["cat"].body
    assert "It is the turn of eve" in found["cat"].body
    play(game, eve, some_turn(fresh(game)), now=late)
    assert "It is your turn" in mails(late)["cat"].body


def test_the_partner_is_told_to_play_for_both(people, now):
    game = start(people, now, variant="teams", fate="partner")
    late = game.deadline + SECOND
    time_out_due(now=late)
    found = mails(late)
    assert set(found) == {"ann", "bob", "cat", "dan"}
    assert "You ran out of time.\n\nFrom now on dan plays for you too." in found["bob"].body
    assert "bob ran out of time. From now on you play for them too." in found["dan"].body
    assert "It is your turn." in found["dan"].body
    assert "From now on dan plays for them too." in found["ann"].body


def test_a_turn_of_the_partners_seat_is_told_to_the_substitute_and_says_for_whom(people, now):
    game = start(people, now, variant="teams", fate="partner")
    late = game.deadline + SECOND
    time_out_due(now=late)
    for _ in range(4):
        game = fresh(game)
        told(late)
        forget()
        player = game.seats.get(number=game.seat_to_move).player
        play(game, player, some_turn(game), now=late)
    message = mails(late)["dan"]
    assert "It is your turn, for bob." in message.body
    assert "Play your turn" in message.body
