"""What players are told of what moderators did to their game."""

import pytest

from games.moderation.game_actions import (
    abort_as_moderator,
    adjudicate,
    give_time,
    pause_game,
    remove_player,
    resume_game,
    set_conversation,
    set_public,
    substitute,
    take_back,
    verify_record,
)
from tests.factories import PersonFactory
from tests.games.moderating import a_moderator
from tests.games.multiplayer import gather
from tests.games.play import DAY
from tests.notifications.mail_parts import sent_to, text_of
from tests.notifications.outgoing_mail import forget, play, tell, told

pytestmark = pytest.mark.django_db

WHY = "a complaint about bob"


@pytest.fixture
def by_mo(db, now):
    """Who does it, why and when."""
    return {"by": a_moderator("mo"), "why": WHY, "now": now}


@pytest.fixture
def four(ann, bob, now):
    """A game of ann, bob, dan and eve, of which everybody has been told."""
    others = [PersonFactory(username=name) for name in ("dan", "eve")]
    game = gather([ann, bob, *others], now=now)
    tell(now)
    forget()
    return game


BOTH = [("moderated", "ann"), ("moderated", "bob")]


def test_a_pause_and_its_end_are_told_to_everybody_with_the_reason(game, ann, now, by_mo):
    tell(now)
    pause_game(game_id=game.pk, **by_mo)
    assert told(now) == BOTH
    text = text_of(sent_to(ann, now, "moderated"))
    assert "A moderator has paused your game." in text
    assert "nobody’s time runs" in text
    assert f"The moderator wrote: {WHY}" in text
    assert "Your time for this turn" not in text
    assert "To play, reply" not in text
    assert "Play your turn" not in text
    forget()
    resume_game(game_id=game.pk, **by_mo)
    text = text_of(sent_to(ann, now, "moderated"))
    assert "Your game resumes." in text
    assert "Your time for this turn ends on" in text


def test_added_time_is_told_with_how_much(game, bob, now, by_mo):
    tell(now)
    bob.language = "en"
    bob.save()
    give_time(game_id=game.pk, more=3 * DAY, **by_mo)
    text = text_of(sent_to(bob, now, "moderated"))
    assert "The player to move has 3 days more for this turn." in text
    assert "It is the turn of ann" in text


@pytest.mark.parametrize(
    ("turn", "said"),
    [(1, "from the position after turn 1"), (0, "It starts again from the beginning.")],
)
def test_a_takeback_is_told_to_both(game, ann, bob, now, by_mo, turn, said):
    for player, text in ((ann, "5"), (bob, "1")):
        play(game, player, text, now)
    tell(now)
    forget()
    take_back(game_id=game.pk, turn=turn, **by_mo)
    assert told(now) == BOTH
    text = text_of(sent_to(ann, now, "moderated"))
    assert "A moderator has taken your game back." in text
    assert said in text


def test_a_player_who_is_removed_is_told_and_the_others_once(four, now, by_mo):
    remove_player(game_id=four.pk, seat=3, **by_mo)
    assert told(now) == [("moderated", name) for name in ("ann", "bob", "dan", "eve")]
    assert "has removed eve from the game" in text_of(
        sent_to(four.seats.get(number=2).user, now, "moderated")
    )


def test_the_substitute_the_others_and_who_sat_there_are_told(game, ann, now, by_mo):
    tell(now)
    zoe = PersonFactory(username="zoe")
    substitute(game_id=game.pk, seat=1, user=zoe, **by_mo)
    assert told(now) == [*BOTH, ("moderated", "zoe")]
    assert "zoe plays for bob from now on." in text_of(sent_to(zoe, now, "moderated"))


@pytest.mark.parametrize(
    ("end", "said"),
    [
        (lambda who: adjudicate(places=[1, 1], **who), "A moderator decided this game: "),
        (lambda who: abort_as_moderator(**who), "A moderator aborted this game: "),
    ],
)
def test_an_end_is_told_once_as_an_end_with_the_reason(game, ann, now, by_mo, end, said):
    tell(now)
    end(by_mo | {"game_id": game.pk})
    assert told(now) == [("game-over", "ann"), ("game-over", "bob")]
    assert said + WHY in text_of(sent_to(ann, now, "game-over"))


def test_of_a_closed_conversation_both_are_told(game, ann, now, by_mo):
    tell(now)
    set_conversation(game_id=game.pk, is_open=False, **by_mo)
    assert told(now) == BOTH
    assert "closed the conversation" in text_of(sent_to(ann, now, "moderated"))


def test_no_mail_tells_of_visibility_and_checks(game, now, by_mo):
    tell(now)
    set_public(game_id=game.pk, is_public=True, **by_mo)
    verify_record(game_id=game.pk, **by_mo)
    assert told(now) == []


def test_a_reason_cannot_add_lines_to_a_mail(game, ann, now, by_mo):
    tell(now)
    pause_game(game_id=game.pk, **by_mo | {"why": "a\r\nBcc: eve@example.org\n\nx"})
    assert "The moderator wrote: a Bcc: eve@example.org x" in text_of(
        sent_to(ann, now, "moderated")
    )
