"""What stands below a turn: second thoughts, commands, signatures."""

import pytest

from games.models import AnalysisNode, Message, Turn
from notifications.mail_commands.message_lines import without_commands
from notifications.mail_parser import parse
from notifications.mail_parser.turn_words import is_second_thought
from tests.notifications.mail_commands.players_by_mail import number_of, words_of

ANN, BOB = "ann@example.org", "bob@example.org"


@pytest.mark.parametrize(
    "line",
    [
        "no wait",
        "No!",
        "wait, actually don't",
        "Sorry, ignore that",
        "oups non",
        "Or maybe not?",
        "hang on a sec",
        "hold on",
        "scratch that",
        "my mistake, sorry",
        "wrong move",
        "attends",
        "attends stp",
        "en fait non",
        "je me suis trompé",
        "oublie ça",
        "un instant, laisse-moi réfléchir non",
        "undo",
    ],
)
def test_a_second_thought(line):
    assert is_second_thought(line)


@pytest.mark.parametrize(
    "line",
    [
        "Sorry for the delay",
        "No rush",
        "no worries!",
        "not bad",
        "pas mal",
        "Pas de souci",
        "Non, merci pour la partie",
        "Wait until you see my next move",
        "I was away, sorry",
        "Nice move",
        "Ann",
        "prends ton temps",
        "Actually I am at the beach",
        "No, my dog is fine, thanks",
    ],
)
def test_talk_is_no_second_thought(line):
    assert not is_second_thought(line)


def test_commands_are_taken_out_of_a_message():
    message = "Hello\nnote he is weak on the left\nwell played\nhelp\nsay bye\nDraw?"
    said, withheld = without_commands(message)
    assert said == "Hello\nwell played\nbye\nDraw?"
    assert withheld == ("note he is weak on the left", "help")


SIGNED = (
    b"From: Ann Smith <ann@example.org>\nMessage-ID: <1@example.org>\n\n"
    b"c3\nSee you\nAnn Smith\nHead of Sales\nAcme Ltd\n"
)


def test_what_is_below_the_senders_own_name_is_not_read():
    assert parse(SIGNED).lines == ("c3", "See you")
    assert parse(SIGNED.replace(b"From: Ann Smith", b"From: Bo Smith")).lines[-1] == "Acme Ltd"


@pytest.mark.parametrize(
    "line",
    [
        "This message and any attachments are confidential and intended solely for the addressee.",
        "The information in this e-mail is privileged and intended only for the person named.",
        "Ce message et ses pièces jointes sont confidentiels et destinés à leurs destinataires.",
    ],
)
def test_a_notice_of_confidentiality_ends_a_mail(line):
    raw = f"From: ann@example.org\n\nc3\nHello\n{line}\nNoise\n".encode()
    assert parse(raw).lines == ("c3", "Hello")


def test_a_person_may_speak_of_confidence():
    raw = b"From: ann@example.org\n\nc3\nThis message is confidential ;-)\n"
    assert parse(raw).lines[-1] == "This message is confidential ;-)"


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
class TestByMail:
    """What becomes of whole mails."""

    @pytest.mark.parametrize("below", ["no wait", "undo", "resign", "\noups non", "\n6"])
    def test_a_turn_that_is_taken_back_below_is_asked(self, played, office, below):
        answer = words_of(office.answer(ANN, f"5\n{below}"))
        assert office.result() == ("done", "asked")
        assert "Reply “yes” to play 5" in answer
        assert number_of(played) == Message.objects.count() == 0

    def test_a_note_below_a_turn_is_not_told_to_the_opponent(self, played, office):
        answer = words_of(office.answer(ANN, "5\nHello\nnote he is weak on the left"))
        assert Turn.objects.get().notation == "5"
        assert Message.objects.get().text == "Hello"
        assert not AnalysisNode.objects.exists()
        assert "Neither done nor passed on" in answer
        assert "“note he is weak on the left”" in answer

    def test_a_language_is_chosen_by_its_name_alone(self, played, office, ann):
        answer = words_of(office.answer(ANN, "en français svp"))
        assert "Désormais, nous vous écrivons en français." in answer
        ann.refresh_from_db()
        assert ann.language == "fr"

    def test_who_writes_words_is_told_of_help(self, played, office):
        assert "“help” sends you all" in words_of(office.answer(ANN, "how do I play?"))
