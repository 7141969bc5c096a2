"""What the rows of My games mark: offers, messages, little time, who is to move."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone, translation

from accounts.models import Block
from games.models import GamePresence, Message
from games.moderation.game_actions import pause_game
from games.queries.game_rows import game_rows, row_reader
from games.queries.home import home_page
from games.services.conduct.messages import say
from games.services.conduct.mutes import mute
from games.services.endings import hand_over, resign
from games.services.offers import accept_offer, offer_end, offer_pause
from tests.games.browsing import html_of
from tests.games.moderating import WHY, a_moderator
from tests.games.play import DAY, begin, fresh, play

pytestmark = pytest.mark.django_db


@pytest.fixture
def now():
    """What pages take for the present."""
    return timezone.now()


def listed(user, game):
    """Return a game as a user's home page has it."""
    page = home_page(user)
    return next(one for one in [*page.awaiting, *page.waiting, *page.finished] if one.pk == game.pk)


def badges(client):
    """Return the words of all badges of the home page."""
    return re.findall(r'<(?:span|strong) class="badge ?[^"]*">([^<]+)<', html_of(client, "/"))


def test_an_offer_is_marked_until_it_is_answered(as_ann, four, people, now):
    ann, bob = people[:2]
    assert "offer" not in badges(as_ann)
    offer_end(game_id=four.pk, user=bob, now=now)
    assert [listed(one, four).has_offer for one in people] == [True, False, True, True]
    assert "offer" in badges(as_ann)
    accept_offer(game_id=four.pk, user=ann, now=now)
    assert [listed(one, four).has_offer for one in people] == [False, False, True, True]
    assert "offer" not in badges(as_ann)


def test_a_paused_game_marks_only_an_offer_that_can_be_answered(game, ann, bob, now):
    offer_pause(game_id=game.pk, user=bob, days=3, now=now)
    pause_game(game_id=game.pk, by=a_moderator("zoe"), why=WHY, now=now)
    game.offers.update(state="open")
    assert not listed(ann, game).has_offer
    game.offers.update(kind="agreed-end")
    assert listed(ann, game).has_offer


def test_messages_are_new_until_they_are_seen(as_ann, game, ann, bob, now):
    say(game_id=game.pk, user=bob, text="One", via="web", now=now)
    assert "new message" in badges(as_ann)
    later = begin(ann, bob, now=now, days=7)
    assert not listed(ann, later).new_messages
    say(game_id=game.pk, user=ann, text="Mine", via="web", now=now)
    say(game_id=game.pk, user=bob, text="Two", via="web", now=now)
    assert "2 new messages" in badges(as_ann)
    assert (listed(ann, game).new_messages, listed(bob, game).new_messages) == (2, 1)
    as_ann.get(game.get_absolute_url())
    assert listed(ann, game).new_messages == 0
    GamePresence.objects.filter(user=ann).update(seen_at=now - DAY)
    assert listed(ann, game).new_messages == 2
    resign(game_id=game.pk, user=ann, now=now)
    assert "2 new messages" in badges(as_ann)


def test_messages_that_are_not_read_do_not_count(four, people, cat, dan, now):
    ann, bob = people[:2]
    for who in (bob, cat, dan):
        say(game_id=four.pk, user=who, text="Hello", via="web", now=now)
    assert listed(ann, four).new_messages == 3
    mute(game_id=four.pk, user=ann, seat_number=1, now=now)
    assert listed(ann, four).new_messages == 2
    Block.objects.create(by=ann, of=cat, at=now)
    assert listed(ann, four).new_messages == 1
    Message.objects.filter(author=dan).update(hidden_at=now)
    assert listed(ann, four).new_messages == 0
    assert listed(bob, four).new_messages == 1


def test_a_seat_stays_muted_for_its_former_player(game, ann, bob, cat, now):
    say(game_id=game.pk, user=bob, text="Hush", via="web", now=now)
    mute(game_id=game.pk, user=ann, seat_number=1, now=now)
    play(game, ann, "5", now=now)
    seat = game.seats.select_related("user").get(number=1)
    hand_over(fresh(game), seat, cat, now, time=DAY)
    assert listed(ann, game).new_messages == 0


@pytest.mark.parametrize(("left", "warned"), [(DAY, False), (DAY - timedelta(seconds=1), True)])
def test_little_time_is_marked_on_ones_own_turn(game, ann, bob, left, warned):
    for user, is_mine in ((ann, True), (bob, False)):
        with translation.override("en"):
            (row,) = game_rows(
                [listed(user, game)],
                row_reader(user.pk),
                away={},
                now=game.deadline - left,
                is_mine=is_mine,
            )
        assert ("less than a day" in row) == (warned and is_mine)
        assert "due in" in row


def test_who_is_to_move_is_told_among_several(client, four, people, now):
    client.force_login(people[2])
    assert "ann to move" in badges(client)
    client.force_login(people[0])
    assert not [words for words in badges(client) if "to move" in words]


def test_of_two_it_need_not_be_told(client, ann, bob, now):
    begin(ann, bob, now=now)
    client.force_login(bob)
    assert badges(client) == []
