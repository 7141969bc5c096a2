"""The fixed address: players whom the host's mail server confirms can write without a letter."""

from email.message import EmailMessage
from email.policy import SMTP
from email.utils import make_msgid

import pytest
from allauth.account.models import EmailAddress

from accounts.models import Block, User, Vacation
from games.models import AnalysisNode, Game, Message, Mute, Report
from games.services import invitations
from notifications.models import IncomingMail, MailPreference, Notice
from tests.games.play import database, fresh, table
from tests.notifications.incoming_mail import hand_in
from tests.notifications.mail_commands.players_by_mail import number_of, words_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

ANN, BOB = "ann@example.org", "bob@example.org"
SERVER = "mx.example.org"
PASS, FAIL = f"{SERVER}; dmarc=pass header.from=example.org", f"{SERVER}; dmarc=fail"


def everything_but_mail():
    """Return every row but those that any mail leaves behind."""
    left = ("incomingmail", "notice", "replyaddress", "accountmailcount", "addressstate")
    rows = database()
    return [row for row in rows if row[0].removeprefix("notifications_") not in left]


@pytest.fixture(autouse=True)
def address(settings):
    settings.AUTHSERV_IDS = [SERVER]
    settings.PLAY_ADDRESS = "play@pli.example.org"
    return settings.PLAY_ADDRESS


@pytest.fixture
def write(office, address):
    """Write to the address over SMTP; return the newest answer, None if none came."""

    def writing(sender, text, *, results=PASS, **headers):
        mail = EmailMessage(policy=SMTP)
        if results:
            mail["Authentication-Results"] = results
        mail["Received"] = "from client.example.net by mx.example.org with ESMTPS id 1; 10 Mar 2026"
        mail["From"], mail["To"], mail["Subject"] = sender, address, "Hello"
        mail["Message-ID"] = make_msgid(domain="mail.example.org")
        for name, value in headers.items():
            mail[name.replace("_", "-")] = value
        mail.set_content(text)
        before = Notice.objects.count()
        hand_in(office.port, mail.as_bytes(), address, sender=sender)
        office.carry()
        return office.newest(sender) if Notice.objects.count() > before else None

    return writing


def confirm(office, address, letter, text="yes"):
    """Answer a letter, with the results of the mail server."""
    mail = EmailMessage(policy=SMTP)
    mail["Authentication-Results"] = PASS
    mail["From"], mail["To"], mail["Subject"] = address, letter["Reply-To"], "Re"
    mail["Message-ID"] = make_msgid(domain="mail.example.org")
    mail.set_content(text)
    hand_in(office.port, mail.as_bytes(), letter["Reply-To"], sender=address)
    office.carry()
    return words_of(office.newest(address))


def test_what_only_reads_is_answered_at_once(played, office, write, address):
    assert "Nobody is waiting" in words_of(write(ANN, "tables"))
    assert office.result() == ("done", "done")
    assert f"You can also write to {address} at any time" in words_of(write(ANN, "help"))
    assert "Voici le plateau." in words_of(write(BOB, f"{played.pk} plateau"))


def test_a_turn_is_asked_back_and_played_by_a_yes(played, office, write):
    letter = write(ANN, f"{played.pk} 5")
    assert office.result() == ("done", "asked")
    assert number_of(played) == 0
    assert "Reply “yes” to play 5" in words_of(letter)
    assert "Your turn 5 is played." in confirm(office, ANN, letter)
    assert number_of(played) == 1


def test_a_game_is_started(played, office, write):
    letter = write(ANN, "new taquet with bob")
    assert Game.objects.count() == 1
    confirm(office, ANN, letter)
    assert Game.objects.latest("pk").invitations.get().user.username == "bob"


def test_resigning_is_asked_back(played, office, write):
    letter = write(ANN, f"{played.pk} resign")
    assert fresh(played).status == Game.Status.ACTIVE
    confirm(office, ANN, letter)
    assert fresh(played).status == Game.Status.FINISHED


@pytest.mark.parametrize("text", ["say hello", "5", "yes", "no", "offer", "hello all", "note hm"])
def test_a_line_that_needs_a_game_is_told_how_to_name_it(played, office, write, text):
    assert "does not know which game you mean" in words_of(write(ANN, text))
    assert office.result() == ("done", "refused")
    assert number_of(played) == 0


CHANGES = {
    "vacation 10": lambda game: Vacation.objects.exists(),
    "quiet": lambda game: MailPreference.objects.exists(),
    "language fr": lambda game: User.objects.get(username="ann").language == "fr",
    "block bob": lambda game: Block.objects.exists(),
    "%s say hello": lambda game: Message.objects.filter(text="hello").exists(),
    "%s offer": lambda game: game.offers.exists(),
    "%s pause 7": lambda game: game.offers.exists(),
    "%s note a good start": lambda game: AnalysisNode.objects.exists(),
    "%s mute": lambda game: Mute.objects.exists(),
    "%s report he stalls": lambda game: Report.objects.get().game == game,
    "%s 5": lambda game: game.turn_number == 1,
}


@pytest.mark.parametrize("line", CHANGES)
def test_what_changes_anything_is_asked_back_and_done_by_a_yes(played, office, write, line):
    text = line.replace("%s", str(played.pk))
    before = everything_but_mail()
    letter = write(ANN, text)
    assert office.result() == ("done", "asked")
    assert everything_but_mail() == before
    confirm(office, ANN, letter)
    assert office.result() == ("done", "done")
    assert CHANGES[line](fresh(played))


READS = ["games", "settings", "tables", "help", "profile bob", "game %s", "record %s", "%s legal"]


@pytest.mark.parametrize("line", READS)
def test_what_only_reads_changes_nothing(played, office, write, line):
    before = everything_but_mail()
    write(ANN, line.replace("%s", str(played.pk)))
    assert office.result() == ("done", "done")
    assert everything_but_mail() == before


def test_an_invitation_is_accepted_after_a_yes(played, office, write, ann, bob):
    invited = table(bob, now=office.now)
    invitations.challenge(game_id=invited.pk, by=bob, user=ann, now=office.now)
    letter = write(ANN, f"{invited.pk} accept")
    assert fresh(invited).status == Game.Status.OPEN
    confirm(office, ANN, letter)
    assert fresh(invited).status == Game.Status.ACTIVE


def test_a_game_that_is_not_the_senders_is_not_there(played, office, write):
    Game.objects.filter(pk=played.pk).update(is_public=False)
    played.seats.filter(user__username="ann").update(user=None)
    hidden = words_of(write(ANN, f"{played.pk} board"))
    assert "There is no such game." in hidden
    assert hidden == words_of(write(ANN, "999999 board"))
    assert office.result() == ("done", "refused")


@pytest.mark.parametrize(
    "results", [FAIL, "", "mx.elsewhere.example; dmarc=pass header.from=example.org"]
)
def test_who_is_not_confirmed_gets_no_answer(played, office, write, results):
    assert write(ANN, f"{played.pk} 5", results=results) is None
    assert office.result() == ("ignored", "unconfirmed")
    assert number_of(played) == 0


def test_strangers_get_no_answer(played, office, write, ann):
    assert write("eve@example.org", "tables") is None
    assert office.result() == ("ignored", "stranger")
    EmailAddress.objects.filter(user=ann).update(verified=False)
    assert write(ANN, "tables") is None
    assert office.result() == ("ignored", "stranger")


def test_who_has_closed_their_account_gets_no_answer(played, office, write, ann):
    ann.is_active = False
    ann.save()
    assert write(ANN, "tables") is None


def test_automatic_mail_gets_no_answer(played, office, write):
    assert write(ANN, "tables", Auto_Submitted="auto-replied") is None
    assert office.result()[0] == "ignored"


def test_without_checks_there_is_no_such_address(office, write, settings):
    settings.AUTHSERV_IDS = []
    with pytest.raises(Exception, match="No such address"):
        write(ANN, "tables")
    assert not IncomingMail.objects.exists()


def test_one_sender_uses_up_only_their_own_mails(played, office, write, settings):
    settings.MAILS_AN_HOUR = 1
    write(ANN, "tables")
    with pytest.raises(Exception, match="Too many mails"):
        write(ANN, "help")
    assert write(BOB, "tables") is not None


def test_after_twenty_refusals_a_day_there_is_no_answer(played, office, write):
    answers = [write(ANN, f"hello {number}") for number in range(21)]
    assert all(answers[:20])
    assert answers[20] is None
