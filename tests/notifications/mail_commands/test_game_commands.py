"""Commands of a game besides turns: what is legal, undo, takeback, pause, more time, notes."""

from datetime import timedelta

import pytest

from games.clock.clock import StopReason
from games.models import AnalysisNode, Event, Game, Message, Offer
from games.services import endings, offers
from games.services.conduct.messages import note_presence
from tests.games.play import begin
from tests.notifications.mail_commands.players_by_mail import number_of, text_of, words_of
from tests.notifications.outgoing_mail import play

pytestmark = pytest.mark.slow

ANN, BOB = "ann@example.org", "bob@example.org"


def fresh(game):
    return Game.objects.get(pk=game.pk)


def offered(game):
    return list(game.offers.open().values_list("kind", "details"))


@pytest.mark.parametrize("line", ["legal", "Legal moves?", "coups possibles"])
def test_the_legal_turns(played, office, line):
    answer = words_of(office.answer(ANN, line))
    assert "9 turns are legal." in answer
    assert "1, 2, 3, 4, 5, 6, 7, 8, 9" in answer
    assert office.result() == ("done", "done")


def test_a_game_of_many_turns_lists_the_first_of_them(office, ann, bob, now):
    begin(ann, bob, now=now, slug="superpion", options={"variant": "two"})
    office.carry()
    answer = words_of(office.answer(ANN, "legal"))
    assert "actions can begin a turn." in answer


@pytest.mark.parametrize(("hints", "listed"), [(False, False), (True, True)])
def test_what_the_rules_hide_is_not_listed(office, ann, bob, now, hints, listed):
    begin(ann, bob, now=now, slug="morpiae", options={"hints": hints})
    office.carry()
    answer = words_of(office.answer(ANN, "legal"))
    assert ("Finding out what is legal is part of this game" in answer) != listed
    assert ("turns are legal." in answer) == listed


def test_an_answer_never_waits_because_the_page_is_open(played, office, ann):
    note_presence(played.pk, ann.pk, now=office.now)
    assert "Here is the board." in words_of(office.answer(ANN, "board"))


@pytest.mark.parametrize("line", ["undo", "annuler le coup"])
def test_a_turn_is_undone(played, office, line):
    office.hand_in(ANN, "5")
    office.hand_in(ANN, line)
    office.carry()
    assert number_of(played) == 2
    assert fresh(played).turns.get(number=2).via == "takeback"
    assert "Your turn is undone." in words_of(office.newest(ANN))


def test_what_the_opponent_knows_of_is_not_undone(played, office, ann):
    play(played, ann, "5", office.now)
    office.carry()
    office.now += timedelta(minutes=5)
    assert "can no longer be undone" in words_of(office.answer(ANN, "undo"))
    assert number_of(played) == 1


@pytest.mark.parametrize("line", ["takeback", "take back", "reprendre le coup"])
def test_a_takeback_is_offered_with_words(played, office, ann, line):
    play(played, ann, "5", office.now)
    office.carry()
    answer = words_of(office.answer(ANN, f"{line}\nI meant 6, sorry"))
    assert offered(played) == [(Offer.Kind.TAKEBACK, {"turn": 1})]
    assert "It counts until the others agree." in answer
    assert Message.objects.get().text == "I meant 6, sorry"


def test_nothing_to_take_back(played, office):
    assert "could be taken back" in words_of(office.answer(ANN, "takeback"))
    assert offered(played) == []


@pytest.mark.parametrize("line", ["pause 7", "Pause de 7 jours", "offer a pause of 7 days"])
def test_a_pause_is_offered(played, office, line):
    assert "a pause of 7 days" in words_of(office.answer(ANN, line))
    assert offered(played) == [(Offer.Kind.PAUSE, {"days": 7})]


@pytest.mark.parametrize("line", ["pause", "pause 5", "pause 9999"])
def test_a_pause_of_other_lengths_is_refused(played, office, line):
    assert "3, 7, 14 or 30 days" in words_of(office.answer(ANN, line))
    assert offered(played) == []


@pytest.mark.parametrize("line", ["resume", "fin de la pause"])
def test_a_pause_is_ended(played, office, ann, bob, line):
    offers.offer_pause(game_id=played.pk, user=bob, days=7, now=office.now)
    offers.accept_offer(game_id=played.pk, user=ann, now=office.now)
    assert fresh(played).stop_reason == StopReason.PAUSED
    office.carry()
    assert "La pause est finie." in words_of(office.answer(BOB, line))
    assert fresh(played).stop_reason == ""


def test_no_pause_to_end(played, office):
    office.answer(ANN, "resume")
    assert office.result() == ("done", "refused")


@pytest.mark.parametrize("line", ["withdraw", "retirer l'offre"])
def test_an_offer_is_withdrawn(played, office, line):
    office.answer(ANN, "pause 7")
    office.answer(ANN, line)
    assert offered(played) == []
    office.answer(ANN, line)
    assert office.result() == ("done", "refused")


@pytest.mark.parametrize("line", ["more time", "plus de temps"])
def test_more_time_for_the_opponent(played, office, line):
    before = fresh(played).deadline
    answer = words_of(office.answer(BOB, line))
    assert "for this turn." in answer or "pour ce coup" in answer
    assert (fresh(played).deadline - before).days == 1
    assert Event.objects.filter(kind=Event.Kind.TIME_GRANTED).count() == 1


def test_nobody_gives_time_to_themselves(played, office):
    answer = words_of(office.answer(ANN, "more time"))
    assert "only your opponents can give you more time" in answer
    assert not Event.objects.filter(kind=Event.Kind.TIME_GRANTED).exists()


@pytest.mark.parametrize("line", ["note keep it up", "noter keep it up", "Note: keep it up"])
def test_a_note_is_private(played, office, line):
    answer = words_of(office.answer(ANN, f"{line}\nand the corners"))
    assert "Only you can read it" in answer
    office.answer(ANN, "note and smile")
    node = AnalysisNode.objects.get()
    assert (node.user.username, node.turn, node.notation) == ("ann", 0, "")
    assert node.note == "keep it up\nand the corners\nand smile"
    assert not Message.objects.exists()
    listed = text_of(office.answer(ANN, "notes"))
    assert "At the start:\r\n    keep it up\r\n    and the corners\r\n" in listed
    office.answer(BOB, "notes")
    assert office.result() == ("done", "refused")


def test_a_note_stands_at_the_turn_that_its_letter_showed(played, office, ann, bob):
    first = office.newest(ANN)
    play(played, ann, "5", office.now)
    play(played, bob, "1", office.now)
    office.carry()
    office.answer(ANN, "note hm", to=first)
    office.answer(
        ANN, "note ha", to=[m for m in office.inboxes[ANN] if m["X-Pli-Kind"] == "your-turn"][-1]
    )
    assert set(AnalysisNode.objects.values_list("turn", "note")) == {(0, "hm"), (2, "ha")}


@pytest.mark.parametrize("line", ["note that I am away", "notez que je pars", "notes are fun"])
def test_talk_is_no_note(played, office, line):
    office.answer(ANN, line)
    assert not AnalysisNode.objects.exists()


COMMANDS = ["undo", "takeback", "pause 7", "resume", "withdraw", "more time", "legal"]


@pytest.mark.parametrize("line", COMMANDS)
def test_a_game_that_is_over_is_left_as_it_is(played, office, bob, line):
    endings.resign(game_id=played.pk, user=bob, now=office.now)
    office.carry()
    office.answer(ANN, line)
    assert office.result() == ("done", "refused")
    assert fresh(played).turn_number == 0
    assert offered(played) == []


@pytest.mark.parametrize("line", [*COMMANDS, "note hm", "notes"])
def test_at_a_letter_without_a_game_nothing_is_done(played, office, line):
    about_no_game = office.answer(ANN, "tables")
    answer = words_of(office.answer(ANN, line, to=about_no_game))
    assert "That is not an answer to this mail." in answer
    assert not AnalysisNode.objects.exists()
