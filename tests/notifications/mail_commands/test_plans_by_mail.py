"""Plans by mail: laid, listed, dropped, played; and told to nobody else."""

import pytest

from games.models import Game, PlannedTurn, Turn
from tests.games.play import play
from tests.notifications.mail_commands.players_by_mail import text_of, words_of

pytestmark = pytest.mark.slow

ANN, BOB = "ann@example.org", "bob@example.org"


def notations(game):
    return list(game.turns.order_by("number").values_list("notation", flat=True))


def test_a_plan_below_a_turn_is_laid_for_the_position_after_it(played, office, ann):
    answer = office.answer(ANN, "5\nif 1 then 9\ngood luck")
    assert notations(played) == ["5"]
    said = words_of(answer)
    assert "Your turn 5 is played." in said
    assert "Your turn is planned." in said
    assert "if 1 then 9" in text_of(answer)
    assert "good luck" in words_of(office.newest(BOB))
    office.answer(BOB, "1")
    assert notations(played) == ["5", "1", "9"]
    assert Turn.objects.get(game=played, number=3).via == Turn.Via.PLAN


def test_nobody_else_is_told_of_a_plan_before_it_is_played(played, office):
    office.answer(ANN, "5\nif 1 then 9, if 3 then 7")
    told = "\n".join(text_of(mail) for mail in office.inboxes[BOB])
    assert "ann joue au centre." in told
    assert "then" not in told
    assert "planned" not in told
    answer = office.answer(BOB, "1")
    # Bob’s account is in French.
    assert "avait prévu la réponse 9, jouée aussitôt" in words_of(answer)
    # Lines of the board, which names its empty cells, begin with a space.
    sentences = [line for line in text_of(answer).splitlines() if not line.startswith(" ")]
    assert "7" not in " ".join(sentences).split()


def test_the_next_letter_says_what_was_played_as_planned(played, office):
    office.answer(ANN, "5\nif 1 then 9")
    office.answer(BOB, "1")
    office.answer(BOB, "2", to=office.newest(BOB))
    letter = office.newest(ANN)
    assert letter["X-Pli-Kind"] == "your-turn"
    assert "As you planned, turn 3 was played for you: 9, after 1." in words_of(letter)
    office.answer(ANN, "8")
    office.answer(BOB, "3", to=office.newest(BOB))
    assert "As you planned" not in words_of(office.newest(ANN))


def test_plans_are_listed_and_dropped(played, office, ann):
    office.answer(ANN, "5\nif 1 then 9, if 3 then 7\nif 2 then 4")
    listing = text_of(office.answer(ANN, "plans"))
    for step in ("if 1 then 9", "  if 3 then 7", "if 2 then 4"):
        assert step in listing
    assert "Your plans are dropped." in words_of(office.answer(ANN, "drop plans"))
    assert not PlannedTurn.objects.exists()
    assert "You have planned nothing here." in words_of(office.answer(ANN, "plans"))
    assert "You have planned nothing here." in words_of(office.answer(ANN, "drop plans"))


def test_a_plan_in_french(played, office):
    office.answer(ANN, "5")
    answer = office.answer(BOB, "1\nsi 9 alors 3")
    assert "Votre coup est prévu." in words_of(answer)
    assert "si 9 alors 3" in text_of(answer)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("if 1 then 5", "taken"),
        ("if 1 then zz", "zz"),
        ("if 1; 9 then 3", "it is bob’s turn there"),
        ("if you like then we meet at 5", "“you like”"),
    ],
)
def test_a_plan_that_cannot_be_played_is_refused_and_the_turn_stands(played, office, text, why):
    answer = words_of(office.answer(ANN, f"5\n{text}"))
    assert notations(played) == ["5"]
    assert why in answer
    assert office.result() == ("done", "partly")
    assert not PlannedTurn.objects.exists()


def test_a_plan_for_a_position_that_is_past_is_refused(played, office, ann, bob):
    letter = office.newest(ANN)
    play(played, ann, "5", now=office.now)
    play(played, bob, "1", now=office.now)
    answer = words_of(office.answer(ANN, "if 9; 2 then 3", to=letter))
    assert "meant for another position" in answer
    assert not PlannedTurn.objects.exists()


def test_a_plan_that_was_mailed_before_the_sender_played_on_the_web_counts(
    played, office, ann, bob
):
    letter = office.newest(ANN)
    play(played, ann, "5", now=office.now)
    office.answer(ANN, "if 1 then 9", to=letter)
    play(Game.objects.get(pk=played.pk), bob, "1", now=office.now)
    assert notations(played) == ["5", "1", "9"]
