"""Write events, in the transaction that makes them happen."""

from datetime import datetime

from accounts.models import User
from games.models import Event, Game, Invitation
from games.services import wakeups


def record_event(
    game: Game,
    kind: Event.Kind,
    *,
    now: datetime,
    actor: User | None = None,
    invitation: Invitation | None = None,
    details: dict[str, object] | None = None,
) -> Event:
    """Write an event of `game`, and wake the workers that write its notices."""
    event = Event.objects.create(
        game=game,
        kind=kind,
        at=now,
        actor=actor,
        turn_number=game.turn_number,
        invitation=invitation,
        details=details or {},
    )
    wakeups.notify_workers("events")
    return event
