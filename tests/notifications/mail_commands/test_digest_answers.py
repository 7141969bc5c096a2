"""One answer to a digest plays in as many games as one likes, each line judged on its own."""

from datetime import timedelta

import pytest

from games.models import Game, Message
from games.queries.positions import position_at
from games.services import invitations, offers
from games.services.turns import play_turn
from notifications.models import DAILY, Cadence, Kind
from notifications.outbox.digests import send_digests
from notifications.services.preferences import save_digest_schedule, set_cadence
from tests.games.play import begin, play
from tests.games.play import table as open_table
from tests.notifications.mail_commands.players_by_mail import text_of, words_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

ANN = "ann@example.org"


@pytest.fixture
def games(office, ann, bob, cat):
    """Three games that await ann, numbered 1, 2 and 3 in her digest."""
    now = office.now
    first = begin(ann, bob, now=now, days=2)
    second = begin(ann, cat, now=now, days=4)
    third = begin(cat, ann, now=now, slug="taquet", days=6)
    play(third, cat, "b3", now=now)
    plan = save_digest_schedule(user=ann, later_hours=8, digest_every=DAILY, digest_hour=8, now=now)
    office.now = plan.digest_due_at + timedelta(seconds=1)
    send_digests(now=office.now)
    office.carry()
    numbers = [line for line in text_of(digest(office)).splitlines() if line[:2] in NUMBERS]
    assert len(numbers) == len(NUMBERS)
    return first, second, third


NUMBERS = ("1.", "2.", "3.")


def digest(office):
    """Return the digest in ann's inbox."""
    return next(mail for mail in office.inboxes[ANN] if mail["X-Pli-Kind"] == Kind.DIGEST)


def turns(game):
    return list(game.turns.order_by("number").values_list("notation", flat=True))


def test_one_answer_plays_in_several_games(games, office):
    answer = words_of(office.answer(ANN, "1 5\n2 7\n", to=digest(office)))
    assert (turns(games[0]), turns(games[1])) == (["5"], ["7"])
    assert office.result() == ("done", "done")
    assert "1. Morpion with bob" in answer
    assert "2. Morpion with cat" in answer


def test_each_line_is_judged_on_its_own(games, office):
    first, second, third = games
    position = position_at(third, 1)
    legal = third.rules.format(position, third.rules.legal_actions(position)[0])
    said = f"1 77\n2 resign\n9 5\n3 {legal} nice move"
    letter = office.answer(ANN, said, to=digest(office))
    answer = words_of(letter)
    assert turns(first) == []
    assert Game.objects.get(pk=second.pk).ending == ""
    assert turns(third) == ["b3", legal]
    assert Message.objects.get(game=third).text == "nice move"
    assert office.result() == ("done", "partly")
    assert "That mail has no game number" in answer
    assert "Reply “2 yes” to do it" in answer
    assert "You have resigned, as you asked." in words_of(office.answer(ANN, "2 yes", to=letter))
    assert Game.objects.get(pk=second.pk).ending == "resigned"


@pytest.fixture
def two_questions(games, office):
    """Return the letter that asks ann whether she wants to resign her first two games."""
    letter = office.answer(ANN, "1 resign\nThank you.\n2 resign\n3 77", to=digest(office))
    assert office.result() == ("done", "asked")
    assert endings(games) == ["", "", ""]
    said = words_of(letter)
    assert "1. Morpion with bob (game" in said
    assert "bob would win. Reply “1 yes” to do it; “no” or nothing changes nothing." in said
    assert "cat would win. Reply “2 yes” to do it; “no” or nothing changes nothing." in said
    assert said.count("Not done.") == 1  # the turn of the third
    return letter


def endings(games):
    return [Game.objects.values_list("ending", flat=True).get(pk=game.pk) for game in games]


def test_of_several_questions_each_is_answered_by_its_number(games, two_questions, office):
    answer = words_of(office.answer(ANN, "1 no\n2 yes, please", to=two_questions))
    assert endings(games) == ["", "resigned", ""]
    assert office.result() == ("done", "done")
    assert "Nothing was changed." in answer
    office.answer(ANN, "1 yes", to=two_questions)
    assert endings(games) == ["", "resigned", ""]
    assert office.result() == ("done", "refused")


def test_a_message_belongs_to_the_question_of_its_line(games, two_questions, office):
    office.answer(ANN, "2 yes\n1 yes", to=two_questions)
    assert endings(games) == ["resigned", "resigned", ""]
    assert [(said.game_id, said.text) for said in Message.objects.all()] == [
        (games[0].pk, "Thank you.")
    ]


def test_a_bare_yes_to_several_questions_asks_for_the_number(games, two_questions, office):
    answer = words_of(office.answer(ANN, "yes", to=two_questions))
    assert endings(games) == ["", "", ""]
    assert "begin the line with the number of the one that you mean, as in “1 yes”" in answer


def test_a_bare_no_to_several_questions_is_no_to_all(games, two_questions, office):
    assert "Nothing was changed." in words_of(office.answer(ANN, "no", to=two_questions))
    office.answer(ANN, "1 yes\n2 yes", to=two_questions)
    assert endings(games) == ["", "", ""]


@pytest.mark.parametrize("yes", ["yes", "2 yes"])
def test_a_single_question_among_several_lines_needs_no_number(games, office, yes):
    letter = office.answer(ANN, "2 resign\n1 5", to=digest(office))
    assert office.result() == ("done", "partly")
    office.answer(ANN, yes, to=letter)
    assert endings(games) == ["", "resigned", ""]


def test_a_number_of_which_nothing_was_asked_does_nothing(games, office):
    letter = office.answer(ANN, "2 resign\n1 77", to=digest(office))
    office.answer(ANN, "1 yes", to=letter)
    assert office.result() == ("done", "refused")
    assert endings(games) == ["", "", ""]


def test_two_questions_about_one_game_are_not_answered_by_one_yes(games, office):
    letter = office.answer(ANN, "2 resign\n2 abort", to=digest(office))
    answer = words_of(office.answer(ANN, "2 yes", to=letter))
    assert "asked you more than one thing about this game" in answer
    assert endings(games) == ["", "", ""]


def test_numbers_mean_the_games_of_the_digest_that_is_answered(games, office, ann, bob):
    first = games[0]
    number = Game.objects.get(pk=first.pk).turn_number
    play_turn(game_id=first.pk, user=ann, text="1", expected_turn=number, via="web", now=office.now)
    play(first, bob, "2", now=office.now)
    answer = words_of(office.answer(ANN, "1 5", to=digest(office)))
    assert turns(first) == ["1", "2"]
    assert "This has happened since" in answer


def test_the_same_answer_twice_changes_nothing_more(games, office):
    office.answer(ANN, "1 5", to=digest(office))
    answer = words_of(office.answer(ANN, "1 5 ", to=digest(office)))
    assert turns(games[0]) == ["5"]
    assert "was already played" in answer


def test_a_command_for_oneself_needs_no_number(games, office):
    office.answer(ANN, "help", to=digest(office))
    assert office.result() == ("done", "done")


def test_a_turn_without_a_number_is_refused(games, office):
    office.answer(ANN, "5", to=digest(office))
    assert office.result() == ("done", "refused")
    assert turns(games[0]) == []


def test_the_answer_to_a_digest_can_be_answered_by_the_same_numbers(games, office, cat):
    answer = office.answer(ANN, "1 77\n2 7\n", to=digest(office))
    assert "the numbers mean the same games" in words_of(answer)
    play(games[1], cat, "5", now=office.now)
    again = words_of(office.answer(ANN, "1 7\n2 8", to=answer))
    assert (turns(games[0]), turns(games[1])) == (["7"], ["7", "5"])
    assert "2. cat: 5" in again


def test_a_turn_without_a_number_asks_for_one(games, office):
    answer = words_of(office.answer(ANN, "7 is nice", to=digest(office)))
    assert "That mail has no game number" in answer
    answer = words_of(office.answer(ANN, "board", to=digest(office)))
    assert "begin the line with its number, as in “1 board”" in answer


@pytest.fixture
def asked(office, ann, bob, cat):
    """Bob is challenged by ann, and cat has offered an end: his digest brings both."""
    now = office.now
    game = begin(cat, bob, now=now, days=6)
    save_digest_schedule(user=bob, later_hours=8, digest_every=DAILY, digest_hour=8, now=now)
    for kind in (Kind.CHALLENGE, Kind.OFFER, Kind.GAME_BEGUN):
        set_cadence(user=bob, kind=kind, cadence=Cadence.DIGEST)
    table = open_table(ann, now=now)
    invitations.challenge(game_id=table.pk, by=ann, user=bob, now=now)
    offers.offer_end(game_id=game.pk, user=cat, now=now)
    office.carry()
    office.now = bob.digest_schedule.digest_due_at + timedelta(seconds=1)
    send_digests(now=office.now)
    office.carry()
    return table, game


def test_what_asks_for_an_answer_is_numbered_too(asked, office, bob):
    table, game = asked
    letter = office.inboxes[bob.email][-1]
    said = words_of(letter)
    assert "« 1 accepter » ou « 1 refuser »" in said
    office.answer(bob.email, "1 accept\n2 decline", to=letter)
    assert office.result() == ("done", "done")
    assert Game.objects.get(pk=table.pk).status == Game.Status.ACTIVE
    assert Game.objects.get(pk=game.pk).offers.get().state == "declined"


def test_the_only_game_of_a_digest_needs_no_number(office, ann, bob):
    game = begin(ann, bob, now=office.now, days=6)
    plan = save_digest_schedule(
        user=ann, later_hours=8, digest_every=DAILY, digest_hour=8, now=office.now
    )
    office.now = plan.digest_due_at + timedelta(seconds=1)
    send_digests(now=office.now)
    office.carry()
    answer = office.answer(ANN, "77", to=digest(office))
    assert turns(game) == []
    office.answer(ANN, "5 good luck", to=answer)
    assert turns(game) == ["5"]
    assert Message.objects.get().text == "good luck"
