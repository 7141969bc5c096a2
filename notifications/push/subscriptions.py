"""Switch notifications on and off in a browser, and ask for a test."""

from collections.abc import Sequence
from datetime import datetime

from allauth.usersessions.models import UserSession
from cryptography.hazmat.primitives.asymmetric import ec
from django.conf import settings
from django.db import transaction

from accounts.models import User
from accounts.users import lock_user
from games import wakeups
from notifications import errors
from notifications.models import Push, PushSubscription
from notifications.models.push import LONGEST_ENDPOINT
from notifications.public_http import is_public_url
from notifications.push.transport import SECRET_SIZE, decode_key

MOST_BROWSERS = 10
"""In how many browsers a user can have notifications."""

_BROWSERS = {
    "Edg": "Edge",
    "OPR": "Opera",
    "SamsungBrowser": "Samsung Internet",
    "Firefox": "Firefox",
    "FxiOS": "Firefox",
    "Chrome": "Chrome",
    "CriOS": "Chrome",
    "Safari": "Safari",
}
"""What a browser calls itself, and its name; many also call themselves what comes later here."""

_SYSTEMS = {
    "Android": "Android",
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Windows": "Windows",
    "Mac OS X": "macOS",
    "CrOS": "ChromeOS",
    "Linux": "Linux",
}


def browser_label(user_agent: str) -> str:
    """Return a browser's name and system, such as “Firefox, Android”, as far as they are known."""
    names = [
        next((name for part, name in table.items() if part in user_agent), "")
        for table in (_BROWSERS, _SYSTEMS)
    ]
    return ", ".join(filter(None, names)) or user_agent[:40] or "?"


def are_keys(p256dh: str, auth: str) -> bool:
    """Return whether these are a point of the curve P-256 and 16 bytes, as base64url."""
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decode_key(p256dh))
        return len(decode_key(auth)) == SECRET_SIZE
    except ValueError:
        return False


@transaction.atomic
def subscribe(
    *,
    user: User,
    session_key: str | None,
    endpoint: str,
    p256dh: str,
    auth: str,
    now: datetime,
) -> PushSubscription:
    """Switch notifications on in the browser of a session.

    An address that another user left in this browser is taken over: its messages would appear
    here. Raises NoPush, BadSubscription, TooManyBrowsers.
    """
    if not settings.PUSH_KEY:
        raise errors.NoPush
    lock_user(user.pk)
    session = UserSession.objects.filter(user=user, session_key=session_key or "").first()
    is_valid = (
        len(endpoint) <= LONGEST_ENDPOINT and is_public_url(endpoint) and are_keys(p256dh, auth)
    )
    if session is None or not is_valid:
        raise errors.BadSubscription
    PushSubscription.objects.filter(endpoint=endpoint).delete()
    if PushSubscription.objects.filter(user=user).count() >= MOST_BROWSERS:
        raise errors.TooManyBrowsers(most=MOST_BROWSERS)
    return PushSubscription.objects.create(
        user=user,
        session=session,
        endpoint=endpoint,
        p256dh=p256dh,
        auth=auth,
        label=browser_label(session.user_agent),
        created_at=now,
    )


def unsubscribe(*, user: User, subscription_id: int) -> None:
    """Switch notifications off in one of the user's browsers. Raises NoBrowser."""
    deleted, _ = PushSubscription.objects.filter(user=user, pk=subscription_id).delete()
    if not deleted:
        raise errors.NoBrowser


@transaction.atomic
def send_test(*, user: User, now: datetime) -> Sequence[PushSubscription]:
    """Have a test sent to all of the user's browsers; return them. Raises NoPush, NoBrowser."""
    if not settings.PUSH_KEY:
        raise errors.NoPush
    browsers = list(PushSubscription.objects.filter(user=user))
    if not browsers:
        raise errors.NoBrowser
    tests = [Push(subscription=one, created_at=now, due_at=now) for one in browsers]
    Push.objects.bulk_create(tests)
    wakeups.notify_workers("pushes")
    return browsers
