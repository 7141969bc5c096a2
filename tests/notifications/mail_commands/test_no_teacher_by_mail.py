"""No mail about a running game between people tells what a teacher said of its turns."""

import pytest

from games.models import Game, Judgement
from tests.notifications.mail_commands.players_by_mail import text_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

ANN, BOB = "ann@example.org", "bob@example.org"
SECRET = "SECRET-OF-THE-TEACHER"
READING = ("help", "board", "history", "rules", "clock", "notes")


def test_no_answer_and_no_mail_about_a_turn_tells_it(played, office):
    office.hand_in(ANN, "5")
    office.carry()
    Judgement.objects.create(
        game=played,
        number=1,
        kept=False,
        best=SECRET,
        is_exact=True,
        value_before=0.0,
        value_after=-1.0,
        holding=1,
        choices=9,
    )
    Game.objects.filter(pk=played.pk).update(judged_turns=1)
    answers = [text_of(office.answer(BOB, line)) for line in READING]
    office.hand_in(BOB, "1")
    office.carry()
    answers.append(text_of(office.answer(ANN, "board")))
    assert Game.objects.get(pk=played.pk).turn_number == 2
    mails = [text_of(mail) for inbox in office.inboxes.values() for mail in inbox]
    assert len(mails) > len(READING)
    assert not [text for text in [*mails, *answers] if SECRET in text]
