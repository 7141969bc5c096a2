"""Commands by mail that the pages would refuse too: at games paused, over, or hidden."""

from datetime import timedelta
from email import policy
from email.message import EmailMessage

import pytest
from django.contrib.auth.models import Group

from accounts.models import User
from accounts.roles import ADMINISTRATORS
from games.clock.clock import StopReason
from games.models import Game, Message, Offer, Turn
from games.moderation.game_actions import pause_game, set_conversation, substitute
from games.services import endings, offers
from games.services.conduct.messages import TALK_LASTS
from notifications.mail_commands.dispatch import MOST_REFUSED
from notifications.models import IncomingMail, ReplyAddress
from tests.factories import PersonFactory
from tests.games.moderating import a_moderator
from tests.games.multiplayer import gather
from tests.games.play import begin, fresh
from tests.notifications.incoming_mail import hand_in
from tests.notifications.mail_commands.players_by_mail import text_of, words_of
from tests.notifications.outgoing_mail import play

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

ANN, BOB = "ann@example.org", "bob@example.org"


@pytest.fixture
def by_mo(db, office):
    return {"by": a_moderator("mo"), "why": "a quarrel", "now": office.now}


def refused(office, address, text, **how):
    """Answer, make sure that nothing was done at any game, and return what was said."""
    before = [list(model.objects.values()) for model in (Turn, Message, Offer)]
    status = list(Game.objects.values_list("status", "turn_number", "reminder_at"))
    answer = office.answer(address, text, **how)
    assert office.result() == ("done", "refused")
    assert [list(model.objects.values()) for model in (Turn, Message, Offer)] == before
    assert list(Game.objects.values_list("status", "turn_number", "reminder_at")) == status
    said = words_of(answer)
    assert "Not done." in said or "Pas fait." in said
    return said


# Over --------------------------------------------------------------------------------------------


def test_no_command_changes_a_game_that_is_over(played, office, bob):
    mail = office.newest(ANN)
    endings.resign(game_id=played.pk, user=bob, now=office.now)
    office.carry()
    for order in ("5", "resign", "offer", "accept", "decline", "later 8h"):
        said = refused(office, ANN, order, to=mail)
        assert "it is over" in said
        assert "The game is over. You have won. bob resigned." in said


def test_players_may_talk_for_a_while_after_the_end(played, office, bob):
    mail = office.newest(ANN)
    endings.resign(game_id=played.pk, user=bob, now=office.now)
    office.answer(ANN, "say well played", to=mail)
    assert Message.objects.get().text == "well played"
    office.now = fresh(played).ended_at + TALK_LASTS + timedelta(seconds=1)
    said = refused(office, ANN, "say hello again", to=mail)
    assert "days ago, so its conversation is closed" in said


# Stopped -----------------------------------------------------------------------------------------


def test_nobody_plays_or_aborts_by_mail_in_a_game_a_moderator_paused(played, office, by_mo):
    mail = office.newest(ANN)
    pause_game(game_id=played.pk, **by_mo)
    for order in ("5", "abort"):
        said = refused(office, ANN, order, to=mail)
        assert "A moderator has paused this game" in said


def test_a_game_paused_by_both_tells_a_mailed_turn_what_the_page_would(played, office, ann, bob):
    offers.offer_pause(game_id=played.pk, user=ann, days=3, now=office.now)
    offers.accept_offer(game_id=played.pk, user=bob, now=office.now)
    assert fresh(played).stop_reason == StopReason.PAUSED
    office.answer(ANN, "5")
    assert Turn.objects.get().notation == "5"


# Conversation ------------------------------------------------------------------------------------


def test_no_message_is_sent_in_a_closed_conversation(played, office, by_mo):
    set_conversation(game_id=played.pk, is_open=False, **by_mo)
    assert "closed the conversation" in refused(office, ANN, "say hello")


def test_a_turn_is_played_though_its_message_is_refused(played, office, by_mo):
    set_conversation(game_id=played.pk, is_open=False, **by_mo)
    said = words_of(office.answer(ANN, "5\nHello Bob"))
    assert office.result() == ("done", "done")
    assert Turn.objects.get().notation == "5"
    assert "Your turn 5 is played." in said
    assert "closed the conversation" in said
    assert not Message.objects.exists()


# Private -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("is_host", [False, True])
def test_a_replaced_player_sees_and_does_nothing_at_a_private_game(
    played, office, ann, bob, by_mo, is_host
):
    """Staff neither: a mail shows no second factor."""
    if is_host:
        User.objects.filter(pk=bob.pk).update(is_staff=True)
        bob.groups.add(Group.objects.get(name=ADMINISTRATORS))
        bob.authenticator_set.create(type="totp", data={})
    assert not played.is_public
    mail = office.newest(BOB)
    zoe = PersonFactory(username="zoe")
    substitute(game_id=played.pk, seat=1, user=zoe, **by_mo)
    play(played, ann, "5", office.now)
    office.carry()
    with_board = text_of(office.newest(zoe.email))
    assert "X" in with_board
    for order in ("board", "history", "5", "77", "say hello", "resign", "accept"):
        said = refused(office, BOB, order, to=mail)
        assert "Cette partie n’existe pas." in said
        assert "X" not in said
        assert "1. 5" not in said


def test_of_a_turn_of_several_actions_what_could_follow_the_first_is_legal(office, ann, bob, cat):
    dan = PersonFactory(username="dan")
    gather([ann, bob, cat, dan], now=office.now)
    office.carry()
    said = refused(office, ANN, "e3-e5, 99")
    assert "Possible turns: d2-d4, e1-e3, " in said  # e1-e3 only since e3 is empty


def test_words_behind_a_turn_that_is_refused_are_not_what_is_refused(played, office, ann, bob):
    play(played, ann, "5", office.now)
    office.carry()
    said = refused(office, BOB, "5, ha ha")
    assert "Vous avez écrit : 5 La case 5 est prise." in said


@pytest.mark.parametrize(
    ("text", "turn"),
    [
        ("Sorry for the delay.\n\n5\n\nAnn", "5"),
        ("Sorry for the delay.\n5 is mine", ""),
        ("Sorry for the delay.\n" + "and so on\n" * 11 + "5", ""),
    ],
)
def test_a_turn_below_other_words_is_pointed_out(played, office, text, turn):
    said = refused(office, ANN, text)
    assert ("must be the first line" in said) == bool(turn)
    assert f"“{turn}” could be played" in said or not turn


def test_no_turn_is_pointed_out_in_a_stale_answer(played, office, ann, bob):
    old = office.newest(ANN)
    play(played, ann, "1", office.now)
    play(played, bob, "2", office.now)
    said = refused(office, ANN, "Hi Bob,\n\n5", to=old)
    assert "meant for another position" in said
    assert "must be the first line" not in said


def test_accepting_without_an_offer_is_refused(played, office):
    for order in ("accept", "decline"):
        assert "There is no open offer to answer" in refused(office, ANN, order)


def test_stop_is_answered_with_the_ways_to_get_less_mail(played, office):
    assert "“quiet” leaves you only" in refused(office, ANN, "Unsubscribe.")
    assert "« silence »" in refused(office, BOB, "désabonner")


# Programs that answer ----------------------------------------------------------------------------


def had_enough(address, office, count, *, game=None, result="refused"):
    """Let so many mails of this sender, about one game, have been refused today."""
    replies = ReplyAddress.objects.filter(user__email=address)
    reply = (replies.filter(game=game) if game else replies).latest("pk")
    for n in range(count):
        IncomingMail.objects.create(
            reply=reply,
            sender=address,
            state="done",
            result=result,
            token_hash=str(n),
            digest=str(n),
            received_at=office.now,
            processed_at=office.now,
        )


def test_a_program_that_answers_every_answer_is_no_longer_answered(played, office):
    had_enough(ANN, office, MOST_REFUSED - 1)
    last = office.answer(ANN, "Thank you for your mail")
    assert "20 of your mails about this game could not be executed" in words_of(last)
    assert "the next such mail gets no answer" in words_of(last)
    assert f"The game is here: http://localhost:8000/games/{played.pk}/" in words_of(last)
    letters = len(office.inboxes[ANN])
    assert office.answer(ANN, "Thank you for your mail", to=last) is last
    assert office.result() == ("ignored", "unanswered")
    assert len(office.inboxes[ANN]) == letters
    office.answer(ANN, "5", to=last)
    assert office.result() == ("done", "done")
    assert Turn.objects.get().notation == "5"


def test_a_program_that_answers_every_question_alike_is_no_longer_asked(played, office):
    had_enough(ANN, office, MOST_REFUSED - 1, result="asked")
    last = office.answer(ANN, "resign")
    assert "the next such mail gets no answer" in words_of(last)
    assert office.answer(ANN, "resign ", to=last) is last
    assert office.result() == ("ignored", "unanswered")
    assert office.answer(ANN, "Hello there", to=last) is last
    office.answer(ANN, "yes", to=last)
    assert fresh(played).ending == "resigned"


def test_refusals_of_one_game_leave_no_other_without_an_answer(played, office, ann, cat):
    other = begin(ann, cat, now=office.now)
    office.carry()
    about_other = office.newest(ANN)
    had_enough(ANN, office, MOST_REFUSED, game=played)
    for text in ("77", "Thank you"):
        assert "gets no answer" not in refused(office, ANN, text, to=about_other)
    play(other, ann, "1", office.now)
    assert "This has happened since" in refused(office, ANN, "5", to=about_other)


def test_refusals_without_a_game_count_for_letters_of_one_purpose(played, office):
    """A digest that is answered without a number, again and again."""
    letter = office.newest(ANN)
    replies = ReplyAddress.objects.filter(user__email=ANN)
    replies.update(game=None, purpose="digest", content=[[1, played.pk, 0], [2, played.pk, 0]])
    had_enough(ANN, office, MOST_REFUSED - 1)
    last = office.answer(ANN, "Hello there", to=letter)
    assert "You find everything here: http://localhost:8000" in words_of(last)
    assert office.answer(ANN, "Hello again", to=letter) is last
    replies.filter(pk=replies.latest("pk").pk).update(game=None, purpose="invitation")
    assert office.answer(ANN, "Hello friends", to=last) is not last


def test_a_day_later_it_is_answered_again_and_others_are_all_the_time(played, office, bob):
    had_enough(ANN, office, MOST_REFUSED)
    refused(office, BOB, "Bonjour")
    office.now += timedelta(days=1)
    assert "gets no answer" not in refused(office, ANN, "Hello")


# Many parts --------------------------------------------------------------------------------------


@pytest.mark.parametrize(("words", "result"), [("5", "done"), ("", "refused")])
def test_a_mail_of_many_pictures_is_answered(played, office, words, result):
    mail = EmailMessage(policy=policy.SMTP)
    mail["From"], mail["To"] = ANN, office.newest(ANN)["Reply-To"]
    mail["Message-ID"] = "<many@example.org>"
    mail.set_content(words)
    for _ in range(25):
        mail.add_attachment(b"picture", "image", "png", filename="logo.png")
    hand_in(office.port, mail.as_bytes(), mail["To"], sender=ANN)
    office.carry()
    assert office.result() == ("done", result)
    has_reason = "Your mail has so many pictures or other" in words_of(office.newest(ANN))
    assert has_reason == (result == "refused")
