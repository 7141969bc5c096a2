"""The mails of games of three and four: to each what concerns them."""

import re
from email import message_from_bytes, policy

import pytest
from django.core import mail
from django.utils import translation
from django.utils.translation import gettext

from games.clock.time_control import per_turn
from games.models import Terms
from games.queries.positions import board_of
from games.render.text import board_text
from games.services import deadlines, endings, offers, reminders, tables
from games.services.clock import stops
from games.services.clock.undelivered_turns import freeze_undelivered
from tests.factories import BotFactory
from tests.games.multiplayer import gather, mover, play_on, play_out, points
from tests.games.play import DAY, SECOND, fresh
from tests.notifications.outgoing_mail import forget, html_of, tell, told

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

COLUMNS = 80


@pytest.fixture
def four(people, now):
    """A game that everybody was told of; ann is to move."""
    game = gather(people, now=now)
    told(now)
    forget()
    return game


def sent(now):
    """Send what is due; return the mails as one parses them, by (reader, kind)."""
    mail.outbox.clear()
    tell(now)
    found = {}
    for message in mail.outbox:
        (to,) = message.to
        key = (to.removesuffix("@example.org"), message.extra_headers["X-Pli-Kind"])
        assert key not in found
        found[key] = message_from_bytes(message.message().as_bytes(), policy=policy.default)
    return found


def text_of(message):
    texts = [p for p in message.walk() if p.get_content_type() == "text/plain"]
    (found,) = [p for p in texts if p.get_content_disposition() != "attachment"]
    return found.get_content()


# Who is told -------------------------------------------------------------------------------------


def test_nobody_is_told_while_a_table_of_four_fills(people, now):
    game = tables.open_table(
        creator=people[0],
        rules_slug="superpion",
        options={},
        terms=Terms(per_turn(DAY)),
        now=now,
        creator_seat=0,
    )
    for person in people[1:3]:
        tables.join_table(game_id=game.pk, user=person, now=now)
    assert told(now) == []
    tables.join_table(game_id=game.pk, user=people[3], now=now)
    assert told(now) == [("game-begun", name) for name in ("ann", "bob", "cat", "dan")]


def test_a_turn_is_told_to_the_next_to_move_alone(four, now):
    for name in ("bob", "cat", "dan", "ann"):
        play_on(four, 1, now=now)
        assert told(now) == [("your-turn", name)]


def test_after_a_departure_the_next_player_gets_the_mail(four, people, now):
    endings.resign(game_id=four.pk, user=people[1], now=now)
    told(now)
    play_on(four, 1, now=now)
    assert told(now) == [("your-turn", "cat")]


def test_a_bot_among_them_gets_no_mail(people, now):
    ann, bob, cat, _ = people
    game = gather([ann, BotFactory(), bob, cat], now=now)
    assert told(now) == [("game-begun", name) for name in ("ann", "bob", "cat")]
    play_on(game, 1, now=now)
    assert told(now) == []
    play_on(game, 1, now=now)
    assert told(now) == [("your-turn", "bob")]


def test_a_departure_is_told_to_the_remaining_players(four, people, now):
    _, bob, _, dan = people
    endings.resign(game_id=four.pk, user=bob, now=now)
    assert told(now) == [("player-left", name) for name in ("ann", "cat", "dan")]
    endings.resign(game_id=four.pk, user=dan, now=now)
    assert told(now) == [("player-left", name) for name in ("ann", "cat")]


def test_a_player_out_of_time_is_told_so(four, now):
    game = play_on(four, 1, now=now)
    forget()
    deadlines.time_out_due(now=game.deadline + SECOND)
    mails = sent(game.deadline + SECOND)
    assert set(mails) == {(name, "player-left") for name in ("ann", "bob", "cat", "dan")}
    message = mails["bob", "player-left"]
    text = " ".join(text_of(message).split())
    assert message["Subject"] == f"Superpion with ann, cat, dan (game {game.pk})"
    assert "You ran out of time. The others play on without you." in text
    assert "It is the turn of" not in text


def test_a_player_told_of_the_search_for_a_substitute_is_not_told_again(people, now):
    terms = Terms(per_turn(DAY), on_timeout="substitute")
    game = play_on(gather(people, now=now, terms=terms), 1, now=now)
    told(now)
    deadlines.time_out_due(now=game.deadline + SECOND)
    everybody = [("player-left", name) for name in ("ann", "bob", "cat", "dan")]
    assert told(game.deadline) == everybody
    stops.end_stops(now=fresh(game).stopped_until + SECOND)
    assert told(game.deadline) == [pair for pair in everybody if pair[1] != "bob"]


def test_a_player_who_could_not_be_reached_did_not_resign(four, people, now):
    forget()
    freeze_undelivered(game_id=four.pk, turn_number=0, user=people[0], now=now)
    told(now)
    forget()
    end = fresh(four).stopped_until
    stops.end_stops(now=end)
    mails = sent(end)
    assert set(mails) == {(name, "player-left") for name in ("bob", "cat", "dan")}
    said = "ann could not be reached by mail any more. The others play on."
    assert said in " ".join(text_of(mails["bob", "player-left"]).split())


def test_a_reminder_goes_to_the_mover_alone_also_after_a_departure(four, people, now):
    endings.resign(game_id=four.pk, user=people[0], now=now)
    told(now)
    late = fresh(four).reminder_at + SECOND
    reminders.remind_due(now=late)
    assert told(late) == [("reminder", "bob")]


def test_an_offer_is_told_to_all_others_who_play(four, people, now):
    ann, bob, _, dan = people
    endings.resign(game_id=four.pk, user=dan, now=now)
    told(now)
    offers.offer_end(game_id=four.pk, user=bob, now=now)
    assert told(now) == [("offer", "ann"), ("offer", "cat")]
    offers.decline_offer(game_id=four.pk, user=ann, now=now)
    assert told(now) == [("offer", "bob"), ("offer", "cat")]


def test_the_end_is_told_to_all_players_also_to_those_who_left_before(four, people, now):
    ann, bob, cat, dan = people
    endings.resign(game_id=four.pk, user=bob, now=now)
    told(now)
    offers.offer_end(game_id=four.pk, user=ann, now=now)
    offers.accept_offer(game_id=four.pk, user=cat, now=now)
    told(now)
    offers.accept_offer(game_id=four.pk, user=dan, now=now)
    assert told(now) == [("game-over", name) for name in ("ann", "bob", "cat", "dan")]


# What they are told ------------------------------------------------------------------------------


def test_each_player_is_told_their_colour_and_the_other_players(people, now):
    gather(people, now=now)
    mails = sent(now)
    assert set(mails) == {(name, "game-begun") for name in ("ann", "bob", "cat", "dan")}
    colours = {"ann": "Blue", "bob": "Red", "cat": "Yellow", "dan": "Black"}
    for name, colour in colours.items():
        text = text_of(mails[name, "game-begun"])
        others = ", ".join(other for other in colours if other != name)
        assert f"You play Superpion with {others}, as {colour}." in " ".join(text.split())
        assert ("It is your turn." in text) == (name == "ann")
        assert ("It is the turn of ann" in text) == (name != "ann")


def test_the_mail_about_a_departure_says_why_and_whose_turn_it_is(four, people, now):
    endings.resign(game_id=four.pk, user=people[0], now=now)
    mails = sent(now)
    assert set(mails) == {(name, "player-left") for name in ("bob", "cat", "dan")}
    for (name, _), message in mails.items():
        text = " ".join(text_of(message).split())
        assert "ann has left the game." in text
        assert "ann resigned. The others play on." in text
        assert ("It is your turn." in text) == (name == "bob")
        assert ("It is the turn of bob" in text) == (name != "bob")
        assert message["Subject"].startswith("Superpion with ")
        assert "ann resigned" in html_of(message)


def test_the_mail_of_a_departure_on_time_says_so(four, now):
    clock_out = play_on(four, 1, now=now).deadline + SECOND
    forget()
    deadlines.time_out_due(now=clock_out)
    mails = sent(clock_out)
    assert "bob ran out of time. The others play on." in text_of(mails["dan", "player-left"])
    assert "It is your turn." in text_of(mails["cat", "player-left"])


def test_a_departure_that_ends_the_game_is_told_as_its_end_alone(four, people, now):
    for person in people[:2]:
        endings.resign(game_id=four.pk, user=person, now=now)
    told(now)
    forget()
    endings.resign(game_id=four.pk, user=people[2], now=now)
    mails = sent(now)
    assert set(mails) == {(name, "game-over") for name in ("ann", "bob", "cat", "dan")}
    text = text_of(mails["dan", "game-over"])
    assert "You have won" in text
    assert "Everybody else has left." in text
    assert "The last turn: cat leaves the game." in text
    assert standings(text) == [
        "1. dan, 30 points",
        "2. cat, 0 points",
        "3. bob, 0 points",
        "4. ann, 0 points",
    ]
    assert "dan has won" in text_of(mails["ann", "game-over"])


def standings(text):
    """Return the lines of a mail that say who came where."""
    before_record = text.partition("The whole game:")[0]
    return re.findall(r"^\d\. .*$", before_record, re.MULTILINE)


def test_the_end_of_a_whole_game_is_told_to_all_with_places_and_points(four, people, now):
    game = play_out(four, now=now)
    while told(now):
        pass
    mails = {key: message for key, message in sent(now).items() if key[1] == "game-over"}
    assert {name for name, _ in mails} == {"ann", "bob", "cat", "dan"}
    held = sorted(points(game), reverse=True)
    lines = standings(text_of(mails["ann", "game-over"]))
    assert len(lines) == 4
    assert [int(re.search(r", (-?\d+) points?$", line)[1]) for line in lines] == held
    by_place = game.seats.order_by("place", "number")
    assert [re.match(r"(\d)\. (\w+),", line).groups() for line in lines] == [
        (str(seat.place), seat.user.username) for seat in by_place
    ]
    for message in mails.values():
        assert standings(text_of(message)) == lines
        assert all(line in html_of(message) for line in lines)


def test_in_teams_both_partners_have_won(people, now):
    game = gather(people, now=now, variant="teams")
    for person in (people[1], people[3]):
        endings.resign(game_id=game.pk, user=person, now=now)
    mails = sent(now)
    for name in ("ann", "cat"):
        assert "You have won" in text_of(mails[name, "game-over"])
    for name in ("bob", "dan"):
        assert "ann, cat have won" in text_of(mails[name, "game-over"])


# The board ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("variant", ["four", "teams", "three"])
def test_the_board_in_the_mail_is_the_readers_and_narrower_than_a_terminal(people, now, variant):
    there = people[:3] if variant == "three" else people
    game = play_on(gather(there, now=now, variant=variant), 40, now=now)
    told(now)
    forget()
    boards = set()
    for _ in there:
        game = play_on(game, 1, now=now)
        reader = mover(game)
        text = text_of(sent(now)[reader.username, "your-turn"])
        with translation.override("en"):
            board = board_text(board_of(game, reader), translate=gettext)
        assert board in text
        assert "[" in board
        assert max(map(len, board.splitlines())) < COLUMNS
        boards.add(board)
    assert len(boards) == len(there)
