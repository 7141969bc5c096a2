"""Bad turns over HTTP: the right status, a clear sentence, the database exactly as before."""

import pytest
from django.urls import reverse
from django.utils import timezone

from games.models import Game
from tests.games.browsing import assert_refused, post
from tests.games.play import SECOND, database, fresh, play_all, table

pytestmark = pytest.mark.django_db


# Turns -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("step", ["", "preview"])
@pytest.mark.parametrize(
    ("text", "expected", "status", "said"),
    [
        ("abc", 0, 422, "“abc” is not a cell"),
        ("", 0, 422, "is not a cell: type one digit"),
        ("5\0", 0, 422, "is not a cell"),
        ("\0\x01\x02\ufffe", 0, 422, "is not a cell"),
        ("\u202e5", 0, 422, "is not a cell"),
        ("<script>alert(1)</script>", 0, 422, "“&lt;script&gt;alert(1)&lt;/script&gt;” is not"),
        ("1,2", 0, 422, "The turn is over before “2”"),
        ("5" * 4097, 0, 413, "That text is too long to be a turn."),
        ("x" * 5000, 0, 413, "That text is too long to be a turn."),
        ("5", 1, 409, "This turn is meant for another position"),
        ("5", -1, 409, "This turn is meant for another position"),
        ("5", 2**31, 409, "This turn is meant for another position"),
        ("5", "9" * 5000, 409, "This turn is meant for another position"),
        ("5", "", 409, "This turn is meant for another position"),
        ("5", "0x0", 409, "This turn is meant for another position"),
        ("5", "0\0", 409, "This turn is meant for another position"),
    ],
)
def test_a_bad_turn_is_refused_with_a_sentence(as_ann, game, text, expected, status, said, step):
    before = database()
    response = post(as_ann, "game_play", game.pk, text=text, expected_turn=expected, step=step)
    assert_refused(response, status, said)
    assert "<script>alert" not in response.content.decode()
    assert database() == before


def test_an_illegal_turn_says_why_and_what_is_possible(as_ann, game, now):
    play_all(game, ["1", "2"], now=timezone.now())
    as_ann.get(game.get_absolute_url())  # who has seen a turn ends the time to undo it
    before = database()
    response = post(as_ann, "game_play", game.pk, text="2", expected_turn=2)
    assert_refused(response, 422, "Cell 2 is taken.")
    assert "Possible here:" in response.content.decode()
    assert database() == before


def test_what_was_typed_stands_in_the_field_again(as_ann, game):
    response = post(as_ann, "game_play", game.pk, text='"><b>x', expected_turn=0)
    assert 'value="&quot;&gt;&lt;b&gt;x"' in response.content.decode()


def test_a_turn_without_anything_is_refused(as_ann, game):
    before = database()
    assert as_ann.post(reverse("game_play", args=[game.pk])).status_code == 409
    assert database() == before


def test_a_turn_sent_as_a_file_is_refused(as_ann, game):
    from django.core.files.uploadedfile import SimpleUploadedFile

    before = database()
    file = SimpleUploadedFile("turn.bin", b"\x00\xff\xfe" * 1000)
    response = post(as_ann, "game_play", game.pk, text=file, expected_turn=0)
    assert_refused(response, 422, "is not a cell")
    assert database() == before


@pytest.mark.parametrize(
    "body", [b"text=%ff%fe%00&expected_turn=0", b"text=%ed%a0%80&expected_turn=0"]
)
def test_bytes_that_are_no_text_are_refused(as_ann, game, body):
    before = database()
    response = as_ann.post(
        reverse("game_play", args=[game.pk]),
        body,
        content_type="application/x-www-form-urlencoded",
    )
    assert_refused(response, 422, "is not a cell")
    assert database() == before


def test_out_of_turn_is_refused(client, bob, game):
    bob.language = "en"
    bob.save()
    client.force_login(bob)
    before = database()
    response = post(client, "game_play", game.pk, text="5", expected_turn=0)
    assert_refused(response, 409, "It is not your turn.")
    assert database() == before


def test_a_strangers_turn_is_refused(client, cat, game):
    client.force_login(cat)
    before = database()
    response = post(client, "game_play", game.pk, text="5", expected_turn=0)
    assert_refused(response, 403, "You do not play in this game.")
    assert database() == before


def test_a_stale_turn_is_refused(as_ann, game):
    play_all(game, ["1", "2"], now=timezone.now())
    as_ann.get(game.get_absolute_url())
    before = database()
    response = post(as_ann, "game_play", game.pk, text="5", expected_turn=0)
    assert_refused(response, 409, "This turn is meant for another position")
    assert database() == before


def time_is_up(game):
    """Let the turn have begun so long ago that its time is over."""
    deadline = timezone.now() - SECOND
    since = deadline - fresh(game).time_left
    Game.objects.filter(pk=game.pk).update(clock_started_at=since, deadline=deadline)


def test_a_late_turn_is_refused_before_any_sweep(as_ann, game):
    time_is_up(game)
    before = database()
    response = post(as_ann, "game_play", game.pk, text="5", expected_turn=0)
    assert_refused(response, 409, "Your time for this turn has run out.")
    assert database() == before


def test_a_repeated_turn_is_no_error(as_ann, game):
    first = post(as_ann, "game_play", game.pk, text="5", expected_turn=0)
    before = database()
    again = post(as_ann, "game_play", game.pk, text=" 5 ", expected_turn=0)
    assert first.status_code == again.status_code == 302
    page = as_ann.get(again["Location"]).content.decode()
    assert "You have already played this turn." in page
    assert database() == before


def test_a_turn_at_a_table_that_has_not_begun_is_refused(as_ann, ann):
    waiting = table(ann, now=timezone.now())
    before = database()
    response = post(as_ann, "game_play", waiting.pk, text="5", expected_turn=0)
    assert_refused(response, 409, "This game has not started yet, or it is over")
    assert "data-board" not in response.content.decode()
    assert database() == before


def test_a_turn_after_the_end_is_refused(as_ann, game):
    play_all(game, ["1", "4", "2", "5", "3"], now=timezone.now())
    before = database()
    response = post(as_ann, "game_play", game.pk, text="9", expected_turn=5)
    assert_refused(response, 409, "it is over")
    assert database() == before


# The preview that the board's module asks for --------------------------------------------------


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ({"turn": "5"}, 409),
        ({"turn": "5", "expected_turn": "zero"}, 409),
        ({"turn": "5", "expected_turn": "9" * 5000}, 409),
        ({"turn": "5", "expected_turn": "1"}, 409),
        ({"turn": "", "expected_turn": "0"}, 422),
        ({"turn": "\0", "expected_turn": "0"}, 422),
        ({"turn": "99", "expected_turn": "0"}, 422),
        ({"turn": "1,2", "expected_turn": "0"}, 422),
        ({"turn": "5" * 4097, "expected_turn": "0"}, 413),
        ({"square": "5", "turn": "zzz", "expected_turn": "0"}, 422),
    ],
)
def test_a_bad_question_about_a_turn_is_answered_as_json(as_ann, game, query, status):
    before = database()
    response = as_ann.get(reverse("game_preview", args=[game.pk]), query)
    assert response.status_code == status
    assert response.json()["error"].endswith((".", "Tb3 slides the taquet."))
    assert database() == before
