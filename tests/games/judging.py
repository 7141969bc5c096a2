"""What the tests of moderation share."""

from django.contrib.auth.models import Permission

from games.models import Act, Event
from games.services.moderation import adjudication, clocks, records, seats, takebacks, visibility
from tests.factories import StaffFactory

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
    """Return the newest act of moderation at a game, and the event that tells of it."""
    act = Act.objects.filter(game=game).order_by("-number").first()
    event = game.events.filter(kind=Event.Kind.MODERATED).order_by("-pk").first()
    return act, event


def deeds(game, zoe, day):
    """Return every act that a moderator can do to a game of several, by its name."""
    about = {"game_id": game.pk}
    return {
        "pause": lambda **who: clocks.pause_game(**about, **who),
        "resume": lambda **who: clocks.resume_game(**about, **who),
        "add-time": lambda **who: clocks.give_time(more=day, **about, **who),
        "adjudicate": lambda **who: adjudication.adjudicate(places=[1, 2, 3, 4], **about, **who),
        "abort": lambda **who: adjudication.abort_as_moderator(**about, **who),
        "withdraw": lambda **who: seats.remove_player(seat=1, **about, **who),
        "substitute": lambda **who: seats.substitute(seat=1, user=zoe, **about, **who),
        "take-back": lambda **who: takebacks.take_back(turn=0, **about, **who),
        "make-private": lambda **who: visibility.set_public(is_public=False, **about, **who),
        "make-public": lambda **who: visibility.set_public(is_public=True, **about, **who),
        "close-conversation": lambda **who: visibility.set_conversation(
            is_open=False, **about, **who
        ),
        "open-conversation": lambda **who: visibility.set_conversation(
            is_open=True, **about, **who
        ),
        "verify": lambda **who: records.verify(**about, **who),
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
    "make-private",
    "make-public",
    "close-conversation",
    "open-conversation",
    "verify",
]
