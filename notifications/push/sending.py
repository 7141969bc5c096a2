"""Send the push messages that are due: claim, send outside any transaction, record the result.

A process that dies between claim and result may have sent its message: it is sent once more, under
the tag of its game, which replaces the first one. A message that is not sent is no loss: the mail
tells the same.
"""

import json
import logging
import time
from datetime import datetime, timedelta
from http import HTTPStatus
from http.client import HTTPException

from django.conf import settings
from django.db.models import F
from django.templatetags.static import static
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.text import Truncator
from django.utils.translation import gettext

from accounts.models import User
from games.clock.weekly_schedule import WeeklySchedule
from games.services.batches import drop_broken_connection
from notifications.emails.game_context import make_end_final
from notifications.kinds.base import kind_of
from notifications.kinds.game_mail import GameMail
from notifications.models import Kind, Notice, Push, PushSubscription, SkipReason
from notifications.models.push import PUSH_CLAIM_TIMEOUT
from notifications.outbox.delivery import stopping
from notifications.outbox.scheduling import last_seen_at
from notifications.public_http import Answer, origin_of
from notifications.push.transport import MAX_PAYLOAD, send
from notifications.services.metrics import count_push

log = logging.getLogger(__name__)

BATCH = 100
"""How many messages one call takes up."""

ROUND_TIMEOUT = 60.0
"""Seconds (of real time) after which a call claims no more."""

RETRY_MINUTES = (1, 5, 20, 60, 180)
"""How long a message waits after the first failure, the second, and so on; then it is given up."""

SERVICE_PAUSE = timedelta(minutes=1)
"""How long all messages wait whose push service does not answer, or asks to wait."""

LONGEST_WAIT = timedelta(hours=12)
"""A push service that asks for a longer wait is not waited for."""

MOST_FAILURES = 10
"""After so many messages in sequence that were given up, a browser gets no more."""

LONGEST_TEXT = 300
"""Characters of a title or a sentence: names and games may be many."""


def send_pushes(*, now: datetime) -> int:
    """Send the push messages that are due; return how many are done.

    Those of a push service that does not answer wait, so that they delay no other's.
    """
    if not settings.PUSH_KEY:
        return 0
    until = time.monotonic() + ROUND_TIMEOUT
    due = Push.objects.due(now).select_related("subscription__user", "event__game")
    done = 0
    for push in due.order_by("due_at", "pk")[:BATCH]:
        if stopping.is_set() or time.monotonic() > until:
            break
        if not claim_push(push, now):  # also one that was put off since it was read
            continue
        try:
            is_done, is_answered = deliver(push, now)
        except Exception:
            log.exception("push %s could not be sent", push.pk)
            drop_broken_connection()
            is_done, is_answered = try_later(push, now), True
        done += is_done
        if not is_answered:
            service = origin_of(push.subscription.endpoint)
            waiting = Push.objects.due(now).filter(subscription__endpoint__startswith=service)
            waiting.update(due_at=now + SERVICE_PAUSE)
    return done


def claim_push(push: Push, now: datetime) -> bool:
    """Claim a message; return False if another process has it, or if it was lost twice."""
    as_read = Push.objects.filter(pk=push.pk, due_at=push.due_at, claims=push.claims)
    if push.claims > 1:
        if as_read.delete()[0]:
            log.warning("push %s is given up: two processes died sending it", push.pk)
            count_push(push, "failed")
        return False
    return as_read.update(due_at=now + PUSH_CLAIM_TIMEOUT, claims=F("claims") + 1) == 1


def deliver(push: Push, now: datetime) -> tuple[bool, bool]:
    """Send a claimed message if it is still wanted; return if it is done, if the service answered.

    It counts as answered if the service was not asked.
    """
    browser = push.subscription
    if not is_worth_sending(push, now):
        return finish(push, "dropped"), True
    if push.event is not None and (end := quiet_until(browser.user, now)) is not None:
        put_off(push, end)
        return False, True
    payload = payload_of(push, now)
    try:
        answer = send(browser, payload, topic=tag_of(push), now=now)
    except (OSError, HTTPException) as error:
        log.warning("push %s: %s does not answer: %s", push.pk, origin_of(browser.endpoint), error)
        return try_later(push, now), False
    return record_answer(push, answer, now), not answer.asks_to_wait


def record_answer(push: Push, answer: Answer, now: datetime) -> bool:
    """Record what the push service answered; return whether the message is done."""
    browser = push.subscription
    if answer.is_taken:
        taken = PushSubscription.objects.filter(pk=browser.pk)
        taken.update(last_success_at=now, failures=0)
        return finish(push, "sent")
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
    make_end_final(event.game, user)
    seen = last_seen_at(user, event.game)
    if seen is not None and seen >= event.at:
        return False
    # A mail that told it does not matter: the message is sent beside it.
    return kind_of(push.kind).skip_reason(notice_of(push)) in (None, SkipReason.TOLD_TOGETHER)


def notice_of(push: Push) -> Notice:
    """Return an unsaved notice of what the message tells: a kind of mail is asked about those."""
    event, user = push.event, push.subscription.user
    assert event is not None  # noqa: S101  (a test is no kind)
    return Notice(
        kind=push.kind,
        user=user,
        language=user.language,
        event=event,
        game=event.game,
        turn_number=event.turn_number,
        created_at=push.created_at,
    )


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
    context = kind.full_context(notice_of(push), now)
    headline = kind.body_paragraphs(context)[0]
    game, opponents = context["game_name"], context["opponents"]
    body = f"{game}."
    if opponents:
        body = gettext("%(game)s with %(opponents)s.") % {"game": game, "opponents": opponents}
    if context["my_turn"] and push.kind != Kind.YOUR_TURN:
        body = f"{body} {gettext('It is your turn.')}"
    return headline, body


# The result --------------------------------------------------------------------------------------


def finish(push: Push, outcome: str) -> bool:
    """Delete a message that needs nothing more; return True."""
    Push.objects.filter(pk=push.pk).delete()
    count_push(push, outcome)
    return True


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
    return finish(push, "failed")
