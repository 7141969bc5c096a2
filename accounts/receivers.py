"""What happens when somebody signs in or out, or changes how they sign in."""

from typing import Any

from allauth.account import signals as account
from allauth.account.authentication import get_authentication_records
from allauth.account.models import EmailAddress
from allauth.mfa import signals as mfa
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib.auth.signals import user_logged_in, user_logged_out, user_login_failed
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse

from accounts import devices
from accounts.models import SecurityEvent, User
from accounts.security_log import person_named, record, record_failure
from accounts.sessions import start_lifetime
from accounts.signals import signed_in_on_new_device

Kind = SecurityEvent.Kind

# Sign-ins ----------------------------------------------------------------------------------------


@receiver(user_logged_in)
def begin_session(request: HttpRequest, **rest: Any) -> None:
    """Let the session's lifetime begin."""
    start_lifetime(request.session)


@receiver(account.user_logged_in)
def record_sign_in(request: HttpRequest, response: HttpResponse, user: User, **rest: Any) -> None:
    """Keep the sign-in, and tell of a browser that is new; the very first one always is."""
    new_device = not devices.is_known_device(request, user)
    devices.remember(request, response, user)
    details = _ways(request, user)
    record(Kind.SIGN_IN, user=user, request=request, new_device=new_device, **details)
    if new_device and not getattr(request, "is_first_sign_in", False):
        signed_in_on_new_device.send(sender=User, user=user)


def _ways(request: HttpRequest, user: User) -> dict[str, Any]:
    """Return the method somebody has just signed in with, and the second factor, if any."""
    ways: dict[str, Any] = {"method": "sign-up"}
    for step in get_authentication_records(request, user):
        if step["method"] == "mfa" and not step.get("passwordless"):
            ways["factor"] = step["type"]
        else:
            ways = {"method": "passkey" if step["method"] == "mfa" else step["method"]}
    return ways


@receiver(user_login_failed)
def record_wrong_password(
    credentials: dict[str, Any], request: HttpRequest | None = None, **rest: Any
) -> None:
    """Keep a wrong password, at sign-in or to re-authenticate."""
    if request is not None:
        record_failure(request, user=person_named(credentials), method="password")


# Sessions ----------------------------------------------------------------------------------------


@receiver(user_logged_out)
def delete_session_details(request: HttpRequest, **rest: Any) -> None:
    """Delete address and browser of the session that ends."""
    UserSession.objects.filter(session_key=request.session.session_key).delete()


@receiver([account.password_changed, account.password_set, account.password_reset])
def delete_details_of_other_sessions(request: HttpRequest, user: User, **rest: Any) -> None:
    """Delete addresses and browsers of the sessions that another password ends."""
    others = UserSession.objects.filter(user=user)
    others.exclude(session_key=request.session.session_key).delete()


# Changes -----------------------------------------------------------------------------------------


@receiver(account.password_changed)
def record_password_change(request: HttpRequest, user: User, **rest: Any) -> None:
    """Keep that a password was changed."""
    record(Kind.PASSWORD_CHANGED, user=user, request=request)


@receiver(account.password_set)
def record_first_password(request: HttpRequest, user: User, **rest: Any) -> None:
    """Record that a user set a first password."""
    record(Kind.PASSWORD_SET, user=user, request=request)


@receiver(account.password_reset)
def record_password_reset(request: HttpRequest, user: User, **rest: Any) -> None:
    """Keep that a forgotten password was replaced."""
    record(Kind.PASSWORD_RESET, user=user, request=request)


@receiver(account.email_added)
def record_new_address(request: HttpRequest, email_address: EmailAddress, **rest: Any) -> None:
    """Keep that an address was added; allauth says so once it is confirmed."""
    user, email = email_address.user, email_address.email
    record(Kind.ADDRESS_ADDED, user=user, request=request, email=email)


@receiver(account.email_changed)
def record_primary_address(
    request: HttpRequest,
    user: User,
    from_email_address: EmailAddress | None,
    to_email_address: EmailAddress,
    **rest: Any,
) -> None:
    """Keep that another address is the main one."""
    former = from_email_address.email if from_email_address else ""
    email = to_email_address.email
    record(Kind.ADDRESS_PRIMARY, user=user, request=request, email=email, former=former)


@receiver(account.email_removed)
def record_removed_address(
    request: HttpRequest, user: User, email_address: EmailAddress, **rest: Any
) -> None:
    """Keep that an address was removed."""
    record(Kind.ADDRESS_REMOVED, user=user, request=request, email=email_address.email)


@receiver(mfa.authenticator_added)
def record_new_factor(
    request: HttpRequest, user: User, authenticator: Authenticator, **rest: Any
) -> None:
    """Keep that a second factor was added."""
    record(Kind.FACTOR_ADDED, user=user, request=request, factor=authenticator.type)


@receiver(mfa.authenticator_removed)
def record_removed_factor(
    request: HttpRequest, user: User, authenticator: Authenticator, **rest: Any
) -> None:
    """Keep that a second factor was removed."""
    record(Kind.FACTOR_REMOVED, user=user, request=request, factor=authenticator.type)


@receiver(mfa.authenticator_reset)
def record_new_codes(
    request: HttpRequest, user: User, authenticator: Authenticator, **rest: Any
) -> None:
    """Keep that somebody has new recovery codes."""
    record(Kind.CODES_RENEWED, user=user, request=request, factor=authenticator.type)
