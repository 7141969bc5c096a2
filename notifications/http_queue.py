"""How push messages and messages to webhooks are sent: claim, send outside any transaction, record.

A process that dies between claim and result may have sent its message: it is sent once more, in a
way that its receiver knows it again. No message is lost with it: the mail, or the API, says the
same.
"""

import logging
import time
from abc import ABC, abstractmethod
from collections import defaultdict
from datetime import datetime, timedelta
from typing import ClassVar, Generic, TypeVar

from django.db.models import F, Q, QuerySet

from accounts.models import User
from games.services.batches import drop_broken_connection
from notifications.emails.game_context import TurnUndone, make_end_final
from notifications.kinds.base import kind_of
from notifications.models import Notice, Push, SkipReason, WebhookMessage
from notifications.outbox.delivery import stopping
from notifications.public_http import origin_of

log = logging.getLogger(__name__)

BATCH = 100
"""How many messages one call takes up."""

MOST_SECONDS = 5.0
"""When one server has taken longer than this in a call, its other messages wait for the next."""

Message = TypeVar("Message", Push, WebhookMessage)


class HttpQueue(ABC, Generic[Message]):
    """The messages of one kind that wait to be sent."""

    round_timeout: ClassVar[float]
    """Seconds (of real time) after which a call claims no more."""

    server_pause: ClassVar[timedelta]
    """How long all messages wait whose server does not answer, or asks to wait."""

    claim_timeout: ClassVar[timedelta]
    """How long a process that claimed a message may take to send it."""

    most_lost: ClassVar[int]
    """How many processes may die while they send one message."""

    address: ClassVar[str]
    """The field, from a message, with the address that it is sent to."""

    @abstractmethod
    def waiting(self) -> QuerySet[Message]:
        """Return all messages, with what is needed to send them."""

    @abstractmethod
    def due(self, now: datetime) -> QuerySet[Message]:
        """Return the messages that are due, with what is needed to send them."""

    @abstractmethod
    def address_of(self, message: Message) -> str:
        """Return the address that a message is sent to."""

    @abstractmethod
    def deliver(self, message: Message, now: datetime) -> tuple[bool, bool]:
        """Send a claimed message if it is still wanted.

        Return whether it is done, and whether the server answered; true if it was not asked. Raises
        TurnUndone.
        """

    @abstractmethod
    def try_after_error(self, message: Message, now: datetime) -> bool:
        """Let a message wait that an error of ours stopped; return whether it is done instead."""

    @abstractmethod
    def count(self, message: Message, outcome: str) -> None:
        """Count what became of a message in the metrics."""

    def send_due(self, now: datetime) -> int:
        """Send the messages that are due; return how many are done.

        Each is read again when it is claimed: it says how the game stands then. Those of a server
        that does not answer wait, so that they delay no other's.
        """
        until = time.monotonic() + self.round_timeout
        done = 0
        spent: defaultdict[str, float] = defaultdict(float)
        for waiting in self.due(now).order_by("due_at", "pk")[:BATCH]:
            if stopping.is_set() or time.monotonic() > until:
                break
            server = origin_of(self.address_of(waiting))
            if spent[server] > MOST_SECONDS:
                continue  # a slow server has its share of each round
            if not self.claim(waiting, now):  # also one that was put off since it was read
                continue
            message = self.waiting().filter(pk=waiting.pk).first()
            if message is None:
                continue
            began = time.monotonic()
            try:
                is_done, is_answered = self.deliver(message, now)
            except TurnUndone:
                continue  # it is looked at again when the claim is over
            except Exception:
                log.exception("%s %s could not be sent", message._meta.model_name, message.pk)
                drop_broken_connection()
                is_done, is_answered = self.try_after_error(message, now), True
            done += is_done
            spent[server] += time.monotonic() - began
            if not is_answered:
                at_server = Q(**{self.address: server})
                for after in "/?":
                    at_server |= Q(**{f"{self.address}__startswith": f"{server}{after}"})
                self.due(now).filter(at_server).update(due_at=now + self.server_pause)
        return done

    def claim(self, message: Message, now: datetime) -> bool:
        """Claim a message; return False if another process has it, or if it was lost too often."""
        messages: QuerySet[Message] = type(message)._default_manager.all()
        as_read = messages.filter(pk=message.pk, due_at=message.due_at, claims=message.claims)
        if message.claims > self.most_lost:
            if as_read.delete()[0]:
                name = message._meta.model_name
                log.warning("%s %s is given up: processes died sending it", name, message.pk)
                self.count(message, "failed")
            return False
        return as_read.update(due_at=now + self.claim_timeout, claims=F("claims") + 1) == 1

    def finish(self, message: Message, outcome: str) -> bool:
        """Delete a message that needs nothing more; return True."""
        type(message)._default_manager.filter(pk=message.pk).delete()
        self.count(message, outcome)
        return True


def notice_of(message: Push | WebhookMessage, user: User) -> Notice:
    """Return an unsaved notice of what a message tells a user: kinds of mail are asked of those."""
    event = message.event
    assert event is not None  # noqa: S101  (a test is no kind)
    return Notice(
        kind=message.kind,
        user=user,
        language=user.language,
        event=event,
        game=event.game,
        turn_number=event.turn_number,
        created_at=message.created_at,
    )


def is_still_true(message: Push | WebhookMessage, user: User) -> bool:
    """Return whether a user would still get the mail about what a message tells.

    That a mail has told it does not matter, nor that none told of an offer: the message is sent
    beside it. Raises TurnUndone.
    """
    assert message.event is not None  # noqa: S101  (as above)
    make_end_final(message.event.game, user)
    reason = kind_of(message.kind).skip_reason(notice_of(message, user))
    return reason in (None, SkipReason.TOLD_TOGETHER, SkipReason.OFFER_UNKNOWN)
