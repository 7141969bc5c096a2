"""What the tests of moderation share."""

from django.contrib.auth.models import Permission
from django.db import transaction

from games.models import Event, ModerationLogEntry
from games.moderation import game_actions
from games.services.clock.timeouts import end_on_time
from games.services.locking import locked_game
from tests.factories import StaffFactory
from tests.games.play import fresh

WHY = "somebody complained"


def a_moderator(username):
    """Return staff who may moderate games, and is no superuser."""
    person = StaffFactory(username=username)
    names = ["moderate", "view_game", "view_event", "view_act"]
    person.user_permissions.set(
        Permission.objects.filter(content_type__app_label="games", codename__in=names)
    )
    return person


def newest(game):
    """Return the newest entry of the log about a game, and the event that tells of it."""
    entry = ModerationLogEntry.objects.filter(game=game).order_by("-number").first()
    event = game.events.filter(kind=Event.Kind.MODERATED).order_by("-pk").first()
    return entry, event


@transaction.atomic
def lose_on_time(game, *, now):
    """Let the time of the seat to move be over now; return the game as it stands."""
    end_on_time(locked_game(game.pk), now=now)
    return fresh(game)


def all_game_actions(game, zoe, day):
    """Return every action of a moderator on a game of four, by its name."""
    about = {"game_id": game.pk}
    return {
        "pause": lambda **who: game_actions.pause_game(**about, **who),
        "resume": lambda **who: game_actions.resume_game(**about, **who),
        "add-time": lambda **who: game_actions.give_time(more=day, **about, **who),
        "adjudicate": lambda **who: game_actions.adjudicate(places=[1, 2, 3, 4], **about, **who),
        "abort": lambda **who: game_actions.abort_as_moderator(**about, **who),
        "withdraw": lambda **who: game_actions.remove_player(seat=1, **about, **who),
        "substitute": lambda **who: game_actions.substitute(seat=1, user=zoe, **about, **who),
        "take-back": lambda **who: game_actions.take_back(turn=0, **about, **who),
        "reopen": lambda **who: game_actions.reopen_game(**about, **who),
        "make-private": lambda **who: game_actions.set_public(is_public=False, **about, **who),
        "make-public": lambda **who: game_actions.set_public(is_public=True, **about, **who),
        "close-conversation": lambda **who: game_actions.set_conversation(
            is_open=False, **about, **who
        ),
        "open-conversation": lambda **who: game_actions.set_conversation(
            is_open=True, **about, **who
        ),
        "verify": lambda **who: game_actions.verify_record(**about, **who),
    }


NAMES = [
    "pause",
    "resume",
    "add-time",
    "adjudicate",
    "abort",
    "withdraw",
    "substitute",
    "take-back",
    "reopen",
    "make-private",
    "make-public",
    "close-conversation",
    "open-conversation",
    "verify",
]
