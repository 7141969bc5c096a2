"""Receivers of signals: somebody signs in or out, or changes how they sign in."""

from typing import Any

from allauth.account import signals as account
from allauth.account.authentication import get_authentication_records
from allauth.account.models import EmailAddress
from allauth.mfa import signals as mfa
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib.auth.signals import user_logged_in, user_logged_out, user_login_failed
from django.contrib.sessions.models import Session
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse

from accounts.middleware import SIGNED_OUT
from accounts.models import SecurityEvent, User
from accounts.security_log import find_user, record, record_failure, signed_in_on_new_device
from accounts.sessions import is_known_device, remember_device, start_lifetime
from accounts.staff import SECOND_FACTORS

Kind = SecurityEvent.Kind

# Sign-ins ----------------------------------------------------------------------------------------


@receiver(user_logged_in)
def begin_session(request: HttpRequest, **rest: Any) -> None:
    start_lifetime(request.session)


@receiver(account.user_logged_in)
def record_sign_in(request: HttpRequest, response: HttpResponse, user: User, **rest: Any) -> None:
    """Record the sign-in, and announce a browser that is new; the very first one always is."""
    new_device = not is_known_device(request, user)
    remember_device(request, response, user)
    ways: dict[str, Any] = {"method": "sign-up"}
    for step in get_authentication_records(request, user):
        if step["method"] == "mfa" and not step.get("passwordless"):
            ways["factor"] = step["type"]
        else:
            ways = {"method": "passkey" if step["method"] == "mfa" else step["method"]}
    record(Kind.SIGN_IN, user=user, request=request, new_device=new_device, **ways)
    if new_device and not getattr(request, "is_first_sign_in", False):
        signed_in_on_new_device.send(sender=User, user=user)


@receiver(user_login_failed)
def record_wrong_password(
    credentials: dict[str, Any], request: HttpRequest | None = None, **rest: Any
) -> None:
    """Record a wrong password, at sign-in or to re-authenticate."""
    if request is not None:
        record_failure(request, user=find_user(credentials), method="password")


# Sessions ----------------------------------------------------------------------------------------


@receiver(user_logged_out)
def mark_sign_out(request: HttpRequest | None, **rest: Any) -> None:
    """Tell PrivatePagesMiddleware that this request signed somebody out."""
    if request is not None:
        request.META[SIGNED_OUT] = True


@receiver(user_logged_out)
def delete_session_details(request: HttpRequest, **rest: Any) -> None:
    """Delete address and browser of the session that ends."""
    UserSession.objects.filter(session_key=request.session.session_key).delete()


@receiver([account.password_changed, account.password_set, account.password_reset])
def delete_details_of_other_sessions(request: HttpRequest, user: User, **rest: Any) -> None:
    """Delete addresses and browsers of the sessions that another password ends."""
    others = UserSession.objects.filter(user=user)
    others.exclude(session_key=request.session.session_key).delete()


@receiver(mfa.authenticator_added)
def end_other_sessions(
    request: HttpRequest, user: User, authenticator: Authenticator, **rest: Any
) -> None:
    """End the sessions that began without the new second factor: it would give them its powers."""
    if authenticator.type in SECOND_FACTORS:
        others = UserSession.objects.filter(user=user)
        others = others.exclude(session_key=request.session.session_key)
        Session.objects.filter(session_key__in=others.values("session_key")).delete()
        others.delete()


# Changes -----------------------------------------------------------------------------------------


@receiver(account.password_changed)
def record_password_change(request: HttpRequest, user: User, **rest: Any) -> None:
    record(Kind.PASSWORD_CHANGED, user=user, request=request)


@receiver(account.password_set)
def record_first_password(request: HttpRequest, user: User, **rest: Any) -> None:
    record(Kind.PASSWORD_SET, user=user, request=request)


@receiver(account.password_reset)
def record_password_reset(request: HttpRequest, user: User, **rest: Any) -> None:
    record(Kind.PASSWORD_RESET, user=user, request=request)


@receiver(account.email_confirmed)
def end_guest_time(email_address: EmailAddress, **rest: Any) -> None:
    """Turn a guest who has confirmed an address into an ordinary user."""
    user = User.objects.get(pk=email_address.user_id)
    if user.is_guest:
        user.guest_until = None
        user.save(update_fields=["guest_until"])
        user.write_search_words(user.username, user.display_name)


@receiver(account.email_added)
def record_new_address(request: HttpRequest, email_address: EmailAddress, **rest: Any) -> None:
    # allauth sends this signal once the address is confirmed.
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
    former = from_email_address.email if from_email_address else ""
    email = to_email_address.email
    record(Kind.ADDRESS_PRIMARY, user=user, request=request, email=email, former=former)


@receiver(account.email_removed)
def record_removed_address(
    request: HttpRequest, user: User, email_address: EmailAddress, **rest: Any
) -> None:
    record(Kind.ADDRESS_REMOVED, user=user, request=request, email=email_address.email)


@receiver(mfa.authenticator_added)
def record_new_factor(
    request: HttpRequest, user: User, authenticator: Authenticator, **rest: Any
) -> None:
    record(Kind.FACTOR_ADDED, user=user, request=request, factor=authenticator.type)


@receiver(mfa.authenticator_removed)
def record_removed_factor(
    request: HttpRequest, user: User, authenticator: Authenticator, **rest: Any
) -> None:
    record(Kind.FACTOR_REMOVED, user=user, request=request, factor=authenticator.type)


@receiver(mfa.authenticator_reset)
def record_new_codes(
    request: HttpRequest, user: User, authenticator: Authenticator, **rest: Any
) -> None:
    record(Kind.CODES_RENEWED, user=user, request=request, factor=authenticator.type)
