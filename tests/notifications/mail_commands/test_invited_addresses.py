"""Invitations answered by mail, from addresses with and without an account."""

import pytest
from allauth.account.models import EmailAddress

from accounts.models import User
from games.models import Game, Invitation, Message
from games.services import invitations
from notifications.models import AddressState, Cadence, Kind, Notice, SkipReason
from notifications.services.preferences import set_cadence
from tests.games.play import table as open_table
from tests.notifications.mail_commands.players_by_mail import words_of

pytestmark = pytest.mark.django_db(transaction=True)

BOARD = "1 2 3 4 5 6 7 8 9"
EVE, BOB = "eve.adams@example.net", "bob@example.org"


@pytest.fixture
def invited(office, table, ann):
    invitations.invite(game_id=table.pk, by=ann, email=EVE, now=office.now)
    office.carry()
    return table


def test_accepting_from_the_invited_address_makes_the_account_and_begins_the_game(invited, office):
    answer = words_of(office.answer(EVE, "accept"))
    eve = User.objects.get(email=EVE)
    address = EmailAddress.objects.get(user=eve)
    assert (address.email, address.verified, address.primary) == (EVE, True, True)
    assert not eve.has_usable_password()
    assert eve.username == "eve-adams"
    assert Game.objects.get().status == Game.Status.ACTIVE
    assert "You have accepted the invitation." in answer
    assert "You play as eve-adams" in answer
    assert "It is your turn" not in answer


def test_the_board_comes_once_with_the_first_mail_of_the_game(office, ann):
    """A person who accepts gets two mails: the answer, and the first of the game."""
    game = open_table(ann, now=office.now, seat=1, is_public=False)
    invitations.invite(game_id=game.pk, by=ann, email=EVE, now=office.now)
    office.carry()
    answer = office.answer(EVE, "accept")
    assert "The first mail of the game follows" in words_of(answer)
    first = next(mail for mail in office.inboxes[EVE] if mail["X-Pli-Kind"] == "game-begun")
    for mail, times in ((answer, 0), (first, 1)):
        assert words_of(mail).count(BOARD) == times
        assert words_of(mail).count("It is your turn.") == times


def test_the_answer_shows_the_board_if_no_first_mail_follows(office, table, ann, bob):
    set_cadence(user=bob, kind=Kind.GAME_BEGUN, cadence=Cadence.OFF)
    invitations.invite(game_id=table.pk, by=ann, email=BOB, now=office.now)
    office.carry()
    answer = words_of(office.answer(BOB, "accepter"))
    assert BOARD in answer
    assert "follows" not in answer


def test_the_account_takes_the_name_of_the_sender(invited, office):
    office.answer(EVE, "accept", sender=f"Ève Adams <{EVE}>")
    eve = User.objects.get(email=EVE)
    assert (eve.username, eve.display_name) == ("eve-adams", "Ève Adams")


@pytest.mark.parametrize("name", ["admin", "Pli", "ann", "\u200b", "x" * 90])
def test_a_name_that_is_taken_or_kept_is_not_given(invited, office, name):
    office.answer(EVE, "accept", sender=f'"{name}" <{EVE}>')
    eve = User.objects.get(email=EVE)
    assert eve.username.lower() not in {"admin", "pli", "ann", ""}
    assert eve.display_name.lower() not in {"admin", "pli", "ann"}
    assert len(eve.username) <= 30


def test_in_the_language_of_who_invited(office, table, ann):
    ann.language = "fr"
    ann.save()
    invitations.invite(game_id=table.pk, by=ann, email=EVE, now=office.now)
    office.carry()
    office.hand_in(EVE, "j'accepte", sender="mallory@example.net")
    office.carry()
    assert "Vous avez écrit depuis" in words_of(office.newest("mallory@example.net"))
    answer = words_of(office.answer(EVE, "j'accepte", to=office.newest(EVE)))
    assert User.objects.get(email=EVE).language == "fr"
    assert "invitation" in answer
    assert "You" not in answer


@pytest.mark.parametrize("word", ["yes", "no"])
def test_yes_and_no_answer_an_invitation(invited, office, word):
    office.answer(EVE, word)
    assert office.result() == ("done", "done")
    assert User.objects.filter(email=EVE).exists() == (word == "yes")
    assert not Invitation.objects.open().exists()


@pytest.mark.parametrize(("word", "status"), [("oui", "active"), ("non", "closed")])
def test_yes_and_no_answer_a_challenge(office, table, ann, bob, word, status):
    invitations.challenge(game_id=table.pk, by=ann, user=bob, now=office.now)
    office.carry()
    office.answer(BOB, word)
    assert office.result() == ("done", "done")
    assert Game.objects.get().status == status


def test_declining_needs_no_account(invited, office):
    answer = office.answer(EVE, "decline")
    assert not User.objects.filter(email=EVE).exists()
    assert Invitation.objects.get().state == "declined"
    assert "You have declined the invitation." in words_of(answer)
    assert answer["Subject"] == "The invitation is declined"


@pytest.mark.parametrize("text", ["5", "resign", "Who are you?", "I would love to, but when?", ""])
def test_anything_else_makes_no_account(invited, office, text):
    answer = words_of(office.answer(EVE, text))
    assert "Not done." in answer
    assert "“accept” or “decline”" in answer
    assert "begin the line with “say”" not in answer
    assert f"/games/{invited.pk}/" not in answer
    assert not User.objects.filter(email=EVE).exists()
    assert Invitation.objects.get().state == "open"


def test_the_message_of_an_invited_person_who_accepts_is_passed_on(invited, office):
    answer = words_of(office.answer(EVE, "accept\nThanks, Ann!\n\n-- \nEve"))
    said = Message.objects.get()
    assert (said.author.email, said.text) == (EVE, "Thanks, Ann!")
    assert "Your message was passed on." in answer


def test_an_invited_person_who_declines_learns_that_their_message_is_not_passed_on(invited, office):
    answer = words_of(office.answer(EVE, "decline\nNo time, sorry"))
    assert Invitation.objects.get().state == "declined"
    assert "Your message was not passed on" in answer


def test_the_rules_can_be_read_first_and_any_answer_be_accepted(invited, office):
    rules = office.answer(EVE, "rules")
    assert rules["Subject"] == "The rules"
    assert "Be the first to have three of your marks in a line" in words_of(rules)
    assert f"/games/{invited.pk}/" not in words_of(rules)
    refused = office.answer(EVE, "hmm", to=rules)
    office.answer(EVE, "yes please", to=refused)
    assert office.result() == ("done", "done")
    assert Game.objects.get().seats.get(number=1).user.email == EVE


def test_somebody_else_who_answers_gets_no_account(invited, office):
    office.hand_in(EVE, "accept", sender="mallory@example.net")
    office.carry()
    assert office.result()[0] == "held"
    assert not User.objects.filter(email__in=[EVE, "mallory@example.net"]).exists()


def test_an_invited_address_with_an_account_plays_with_that_account(office, table, ann, bob):
    invitations.invite(game_id=table.pk, by=ann, email=BOB, now=office.now)
    office.carry()
    office.answer(BOB, "accept")
    assert User.objects.filter(email=BOB).count() == 1
    assert Game.objects.get().seats.get(number=1).user == bob


def test_accepting_twice_is_refused_the_second_time(invited, office):
    first = office.newest(EVE)
    office.answer(EVE, "accept", to=first)
    answer = words_of(office.answer(EVE, "accept please", to=first))
    assert User.objects.filter(email=EVE).count() == 1
    assert "Not done." in answer


def test_a_challenge_is_answered_by_mail(office, table, ann, bob):
    invitations.challenge(game_id=table.pk, by=ann, user=bob, now=office.now)
    office.carry()
    assert "Vous avez accepté l’invitation." in words_of(office.answer(BOB, "Accept"))
    assert Game.objects.get().status == Game.Status.ACTIVE


def test_a_challenge_is_declined_by_mail(office, table, ann, bob):
    invitations.challenge(game_id=table.pk, by=ann, user=bob, now=office.now)
    office.carry()
    assert "Vous avez refusé l’invitation." in words_of(office.answer(BOB, "refuser"))
    assert Game.objects.get().status == Game.Status.CLOSED


# A newcomer ------------------------------------------------------------------------------------


def test_the_invitation_says_who_invites_and_why_it_came_and_shows_the_board(invited, office):
    letter = office.newest(EVE)
    said = words_of(letter)
    assert "You get this mail because ann (ann on " in said
    assert "Reply “never”, and nobody can invite this address again." in said
    assert BOARD in said
    assert [part for part in letter.walk() if part.get_content_maintype() == "image"]


@pytest.mark.parametrize("line", ["never", "Never again!", "jamais", "stop", "Plus d’invitations"])
def test_all_further_invitations_are_refused(invited, office, ann, bob, line):
    answer = words_of(office.answer(EVE, line))
    assert "nobody can invite this address again" in answer
    assert Invitation.objects.get().state == Invitation.State.DECLINED
    assert not User.objects.filter(email=EVE).exists()
    read = len(office.inboxes[EVE])
    other = open_table(bob, now=office.now)
    invitations.invite(game_id=other.pk, by=bob, email=EVE, now=office.now)
    office.carry()
    assert len(office.inboxes[EVE]) == read
    unsent = Notice.objects.filter(kind=Kind.INVITATION).latest("pk")
    assert unsent.skip_reason == SkipReason.INVITATIONS_REFUSED


@pytest.mark.parametrize(
    "line", ["never mind the pace, how long?", "I never play", "stop by then, ok"]
)
def test_talk_refuses_nothing(invited, office, line):
    office.answer(EVE, line)
    assert Invitation.objects.get().state == Invitation.State.OPEN
    assert not AddressState.objects.filter(refuses_invitations=True).exists()


@pytest.mark.parametrize(
    ("line", "language"),
    [
        ("oui", "fr"),
        ("Avec plaisir !", "fr"),
        ("J’accepte, merci", "fr"),
        ("yes", "en"),
        ("accept", "en"),
        ("ok", "en"),
    ],
)
def test_a_newcomer_goes_on_in_the_language_of_the_answer(invited, office, line, language):
    answer = words_of(office.answer(EVE, line))
    assert User.objects.get(email=EVE).language == language
    assert ("Vous avez accepté" in answer) == (language == "fr")


@pytest.mark.parametrize("line", ["français", "French, please", "language fr", "en français svp"])
def test_a_newcomer_can_choose_the_language_first(invited, office, line):
    answer = words_of(office.answer(EVE, line))
    assert "nous vous écrivons en français" in answer
    assert "ann vous invite à jouer à Morpion" in answer
    assert "« accepter » ou « refuser »" in answer
    assert Invitation.objects.get().state == Invitation.State.OPEN
    answer = words_of(office.answer(EVE, "ok"))
    assert User.objects.get(email=EVE).language == "fr"
    assert "Vous avez accepté" in answer


def test_all_of_the_answer_is_in_the_language_of_the_newcomer(invited, office):
    answer = words_of(office.answer(EVE, "oui\nBonjour Ann"))
    assert Message.objects.get().text == "Bonjour Ann"
    assert "Votre message a été transmis." in answer
