"""Send the push messages that are due (`notifications.http_queue`).

One that is sent twice replaces the first: both have the tag of their game.
"""

import json
import logging
from datetime import datetime, timedelta
from http import HTTPStatus
from http.client import HTTPException

from django.conf import settings
from django.db.models import F, QuerySet
from django.templatetags.static import static
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.text import Truncator
from django.utils.translation import gettext

from accounts.models import User
from games.clock.weekly_schedule import WeeklySchedule
from notifications.http_queue import HttpQueue, is_still_true, notice_of
from notifications.kinds.base import kind_of
from notifications.kinds.game_mail import GameMail
from notifications.models import Kind, Push, PushSubscription
from notifications.models.push import PUSH_CLAIM_TIMEOUT
from notifications.outbox.scheduling import last_seen_at
from notifications.public_http import Answer, origin_of
from notifications.push.transport import MAX_PAYLOAD, send
from notifications.services.metrics import count_push

log = logging.getLogger(__name__)

RETRY_MINUTES = (1, 5, 20, 60, 180)
"""How long a message waits after the first failure, the second, and so on; then it is given up."""

LONGEST_WAIT = timedelta(hours=12)
"""A push service that asks for a longer wait is not waited for."""

MOST_FAILURES = 10
"""After so many messages in sequence that were given up, a browser gets no more."""

LONGEST_TEXT = 300
"""Characters of a title or a sentence: names and games may be many."""


class PushQueue(HttpQueue[Push]):
    """The push messages that wait to be sent."""

    round_timeout = 60.0
    server_pause = timedelta(minutes=1)
    claim_timeout = PUSH_CLAIM_TIMEOUT
    most_lost = 1
    address = "subscription__endpoint"

    def waiting(self) -> QuerySet[Push]:
        """Return all messages."""
        return Push.objects.select_related("subscription__user", "event__game")

    def due(self, now: datetime) -> QuerySet[Push]:
        """Return the messages that are due."""
        return Push.objects.due(now).select_related("subscription")

    def address_of(self, message: Push) -> str:
        """Return the address that a message is sent to."""
        return message.subscription.endpoint

    def deliver(self, message: Push, now: datetime) -> tuple[bool, bool]:
        """Send a claimed message if it is still wanted."""
        browser = message.subscription
        if not is_worth_sending(message, now):
            return self.finish(message, "dropped"), True
        if message.event is not None and (end := quiet_until(browser.user, now)) is not None:
            put_off(message, end)
            return False, True
        payload = payload_of(message, now)
        try:
            answer = send(browser, payload, topic=tag_of(message), now=now)
        except (OSError, HTTPException) as error:
            server = origin_of(browser.endpoint)
            log.warning("push %s: %s does not answer: %s", message.pk, server, error)
            return try_later(message, now), False
        return record_answer(message, answer, now), not answer.asks_to_wait

    def try_after_error(self, message: Push, now: datetime) -> bool:
        """Try later; return whether the message is given up instead."""
        return try_later(message, now)

    def count(self, message: Push, outcome: str) -> None:
        """Count what became of a message."""
        count_push(message, outcome)


QUEUE = PushQueue()


def send_pushes(*, now: datetime) -> int:
    """Send the push messages that are due; return how many are done."""
    return QUEUE.send_due(now) if settings.PUSH_KEY else 0


def record_answer(push: Push, answer: Answer, now: datetime) -> bool:
    """Record what the push service answered; return whether the message is done."""
    browser = push.subscription
    if answer.is_taken:
        taken = PushSubscription.objects.filter(pk=browser.pk)
        taken.update(last_success_at=now, failures=0)
        return QUEUE.finish(push, "sent")
    if answer.is_gone or answer.status == HTTPStatus.NOT_FOUND:
        browser.delete()  # with its messages
        count_push(push, "gone")
        return True
    log.warning("push %s: %s answers %s", push.pk, origin_of(browser.endpoint), answer.status)
    if answer.asks_to_wait or answer.is_error_there:
        return try_later(push, now, answer)
    return give_up(push)


# Whether, and when -------------------------------------------------------------------------------


def is_worth_sending(push: Push, now: datetime) -> bool:
    """Return whether a message is still worth sending: as of mails, and not seen on the page.

    Raises TurnUndone.
    """
    user, event = push.subscription.user, push.event
    if not user.is_active or user.is_barred(now):
        return False
    if event is None:
        return True
    is_true = is_still_true(push, user)
    seen = last_seen_at(user, event.game)
    return is_true and (seen is None or seen < event.at)


def quiet_until(user: User, now: datetime) -> datetime | None:
    """Return when the user's quiet hours end; None if there are none now."""
    if user.quiet_from is None:
        return None
    quiet = WeeklySchedule(user.zone.key, frozenset(), user.quiet_from, user.quiet_until)
    span = next(quiet.spans(now))
    return span.end if span.start <= now else None


# What it says ------------------------------------------------------------------------------------


def tag_of(push: Push) -> str:
    """Return the tag of a message: a later one with the same tag replaces it."""
    return f"game-{push.event.game_id}" if push.event else "test"


def payload_of(push: Push, now: datetime) -> bytes:
    """Return the message for `push_worker.js`, in the user's language. Raises TurnUndone."""
    user = push.subscription.user
    with translation.override(user.language), timezone.override(user.zone):
        if push.event is None:
            title = gettext("A test from %(site)s") % {"site": settings.SITE_NAME}
            body = gettext("Notifications arrive in this browser.")
            url = reverse("notifications")
        else:
            title, body = text_about_game(push, now)
            url = push.event.game.get_absolute_url()
    message = {
        "title": Truncator(title).chars(LONGEST_TEXT),
        "body": Truncator(body).chars(LONGEST_TEXT),
        "lang": user.language,
        "icon": static("img/icon-192.png"),
        "tag": tag_of(push),
        "url": url,
    }
    payload = json.dumps(message, ensure_ascii=False).encode()
    assert len(payload) <= MAX_PAYLOAD  # noqa: S101  (600 characters of 4 bytes at most)
    return payload


def text_about_game(push: Push, now: datetime) -> tuple[str, str]:
    """Return the headline of the mail about the same, and a sentence: which game, whose turn."""
    kind = kind_of(push.kind)
    assert isinstance(kind, GameMail)  # noqa: S101  (`is_pushed` says so)
    context = kind.full_context(notice_of(push, push.subscription.user), now)
    headline = kind.body_paragraphs(context)[0]
    game, opponents = context["game_name"], context["opponents"]
    body = f"{game}."
    if opponents:
        body = gettext("%(game)s with %(opponents)s.") % {"game": game, "opponents": opponents}
    if context["my_turn"] and push.kind != Kind.YOUR_TURN:
        body = f"{body} {gettext('It is your turn.')}"
    return headline, body


# The result --------------------------------------------------------------------------------------


def put_off(push: Push, until: datetime) -> None:
    """Let a claimed message wait."""
    Push.objects.filter(pk=push.pk).update(due_at=until, claims=0, attempts=push.attempts)


def try_later(push: Push, now: datetime, answer: Answer | None = None) -> bool:
    """Let a message that failed wait, each time longer; return whether it is given up instead."""
    asked = answer.asked_wait(now) if answer else timedelta()
    if push.attempts >= len(RETRY_MINUTES) or asked > LONGEST_WAIT:
        return give_up(push)
    wait = max(timedelta(minutes=RETRY_MINUTES[push.attempts]), asked)
    push.attempts += 1
    put_off(push, now + wait)
    count_push(push, "deferred")
    return False


def give_up(push: Push) -> bool:
    """Delete a message that cannot be sent, and the browser after MOST_FAILURES; return True."""
    browser = PushSubscription.objects.filter(pk=push.subscription_id)
    browser.update(failures=F("failures") + 1)
    browser.filter(failures__gte=MOST_FAILURES).delete()
    return QUEUE.finish(push, "failed")
