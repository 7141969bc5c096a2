"""What surrounds every request of a user: language, suspension, second factor, session, caches."""

import hashlib
import logging
import time
from collections.abc import Callable
from typing import ClassVar
from urllib.parse import urlencode

from allauth.account.adapter import get_adapter
from allauth.account.internal.flows.reauthentication import raise_if_reauthentication_required
from allauth.core.exceptions import ReauthenticationRequired
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.middleware import AuthenticationMiddleware, get_user
from django.contrib.auth.models import AnonymousUser
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext

from accounts.factor_keys import FactorUnreadable
from accounts.models import Sanction
from accounts.server_time import server_now
from accounts.sessions import is_over, keep_reason, lifetime_of
from accounts.staff import has_staff_powers

log = logging.getLogger(__name__)

SIGNED_OUT = "pli.signed_out"
"""The key of a request's META that says that it signed somebody out."""


class Middleware:
    """Passes requests on."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)


class PrivatePagesMiddleware(Middleware):
    """Forbids storing any answer in whose making a session had a part (RFC 9111, 5.2.2).

    That is: the request came with a session's cookie or the answer sets one. Whether it is still
    somebody's need not be asked, so this costs no query. Must come before SessionMiddleware.
    """

    NO_STORE = "no-store, private"

    FORGET = '"cache", "storage"'
    """What a browser deletes after signing out. Its cookies stay: they are preferences (language,
    colours) and say nothing of the person, and the cookies of the domain's other sites would go
    too."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self.get_response(request)
        came_with = request.COOKIES.get(settings.SESSION_COOKIE_NAME)
        answered = response.cookies.get(settings.SESSION_COOKIE_NAME)
        if came_with or answered:
            response["Cache-Control"] = self.NO_STORE
        # An empty cookie deletes it: the session ended elsewhere.
        is_deleted = bool(came_with and answered and not answered.value)
        if is_deleted or request.META.get(SIGNED_OUT):
            response["Clear-Site-Data"] = self.FORGET
        return response


class UserMiddleware(AuthenticationMiddleware):
    """Loads the user of a session at once.

    Django's waits until somebody asks. Here the language of every answer asks, and each look at an
    object that may still have to be loaded costs more than one at the user.
    """

    def process_request(self, request: HttpRequest) -> None:
        super().process_request(request)
        request.user = get_user(request)


class UserLocaleMiddleware(Middleware):
    """Answers in the user's language and time zone; others by what LocaleMiddleware found."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        user = request.user
        language, zone = translation.get_language(), None
        if user.is_authenticated:
            language, zone = user.language, user.zone
        with translation.override(language), timezone.override(zone):
            request.LANGUAGE_CODE = translation.get_language()
            response = self.get_response(request)
            response.headers.setdefault("Content-Language", translation.get_language())
        return response


class PageUserMiddleware(Middleware):
    """Names the signed-in user in a header: the service worker deletes what it kept for others.

    The user's key is in the page of a game as well. Costs no query: the language needs the user.
    """

    def __call__(self, request: HttpRequest) -> HttpResponse:
        user = request.user
        response = self.get_response(request)
        if user.is_authenticated:
            response["Pli-User"] = str(user.pk)
        return response


class SuspendedUserMiddleware(Middleware):
    """Shows suspended users why and until when, and nothing else.

    They can sign out. Costs no query for anybody else.
    """

    ALLOWED = (
        *("account_logout", "choose_language", "outages", "about", "privacy", "contact"),
        *("offline", "web_manifest"),
    )
    """The pages that they can still use."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        user, now = request.user, server_now()
        if not user.is_authenticated or not user.is_barred(now):
            return self.get_response(request)
        if request.path in {reverse(name) for name in self.ALLOWED}:
            return self.get_response(request)
        sanctions = [
            sanction
            for sanction in user.sanctions.all()
            if sanction.is_in_force(now) and sanction.kind in Sanction.KEEPS_OUT
        ]
        return render(request, "accounts/barred.html", {"sanctions": sanctions}, status=403)


class GuestMiddleware(Middleware):
    """Lets guests sign up or in like strangers, and keeps them from pages of accounts.

    `request.guest` is the guest where `request.user` is a stranger. Costs no query.
    """

    ENTRANCES = frozenset(
        [
            *("account_signup", "account_email_verification_sent", "account_login"),
            *("account_request_login_code", "account_confirm_login_code", "account_inactive"),
            *("account_reset_password", "account_reset_password_done"),
            *("account_reset_password_from_key", "account_reset_password_from_key_done"),
            *("mfa_authenticate", "mfa_login_webauthn"),
        ]
    )
    """Pages on which a guest signs up, or signs in to another account."""

    CLOSED = frozenset(
        [
            *("profile_edit", "public_profile", "sign_ins"),
            *("reauthenticate_by_code", "mail_preferences"),
            *("notifications", "notifications_on", "notifications_off", "notifications_test"),
            *("webhooks", "webhook_add", "webhook_test", "webhook_secret", "webhook_on"),
            "webhook_remove",
            *("your_data", "your_data_file", "delete_account", "keep_account"),
            *("programs", "create_token", "revoke_token"),
            *("create_program", "program_settings", "delete_program"),
        ]
    )
    """Closed to guests, like every page of allauth that is no entrance."""

    def process_view(
        self, request: HttpRequest, view: Callable[..., object], args: object, kwargs: object
    ) -> HttpResponse | None:
        """Redirect a guest from a page of accounts to the page where they sign up."""
        user, match = request.user, request.resolver_match
        if match is None or not getattr(user, "is_guest", False):
            return None
        if match.url_name in self.ENTRANCES:
            request.guest, request.user = user, AnonymousUser()  # type: ignore[attr-defined]
            return None
        is_of_accounts = view.__module__.startswith("allauth.") or match.url_name in self.CLOSED
        if not is_of_accounts or match.url_name == "account_logout":
            return None
        messages.info(request, gettext("Sign up first: guests have no settings."))
        return redirect("account_signup")


class StaffMfaMiddleware(Middleware):
    """Lets nobody into the admin without a second factor, whatever their role."""

    def process_view(
        self, request: HttpRequest, view: object, args: object, kwargs: object
    ) -> HttpResponse | None:
        """Redirect staff without a second factor to where it is set up."""
        user, match = request.user, request.resolver_match
        if match is None or "admin" not in match.app_names:
            return None
        if not user.is_authenticated or not user.is_staff or has_staff_powers(user):
            return None
        messages.warning(request, gettext("The admin needs a second factor: set one up first."))
        return redirect("mfa_index")


class ReauthenticationMiddleware(Middleware):
    """Asks people to re-authenticate where allauth does not: at pages of accounts, and their data.

    Forms are not kept for later, as allauth does elsewhere: they may hold a new password. Only what
    `KEPT` names comes back, in the address of the page.
    """

    ALWAYS = frozenset({"account_set_password", "your_data_file", "delete_account"})
    FORMS: ClassVar = {
        "account_email_verification_sent": "account_email_verification_sent",
        "your_data": "your_data",
        "create_token": "programs",
        "webhook_add": "webhooks",
        "webhook_secret": "webhooks",
    }
    """Views that are guarded when a form is sent to them, and the page that shows that form."""
    KEPT: ClassVar[dict[str, tuple[str, ...]]] = {
        "create_token": ("name", "account", "scopes", "days"),
        "webhook_add": ("address", "account"),
    }

    def process_view(
        self, request: HttpRequest, view: object, args: object, kwargs: object
    ) -> HttpResponse | None:
        """Redirect to the page where this user re-authenticates, if they have to."""
        name = request.resolver_match.url_name if request.resolver_match else None
        is_guarded = name in self.ALWAYS or (name in self.FORMS and request.method == "POST")
        if not is_guarded or not request.user.is_authenticated:
            return None
        try:
            raise_if_reauthentication_required(request, app="allauth.account")
        except ReauthenticationRequired:
            if request.method == "POST":
                again = gettext("Please confirm first that it is you; then press the button again.")
                messages.info(request, again)
            methods = get_adapter().get_reauthentication_methods(request.user)
            page = reverse(self.FORMS[name]) if name in self.FORMS else request.path
            kept = self.KEPT.get(name or "", ())
            fields = {key: request.POST.getlist(key) for key in kept}
            if any(fields.values()):
                page += "?" + urlencode(fields, doseq=True)
            return redirect(f"{methods[0]['url']}?{urlencode({'next': page})}")
        return None


class SessionLifetimeMiddleware(Middleware):
    """Signs people out a fixed time after their sign-in. Costs no query before that."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        user = request.user
        if not user.is_authenticated or not is_over(request, user):
            return self.get_response(request)
        lifetime = lifetime_of(user)
        logout(request)
        keep_reason(request.session, lifetime)
        # A page leads to the sign-in page, which says why. What is used within a page does not.
        is_page = request.headers.get("Sec-Fetch-Dest", "document") == "document"
        if request.method == "GET" and is_page and "HX-Request" not in request.headers:
            return redirect_to_login(request.get_full_path())
        return self.get_response(request)


class UserSessionMiddleware(Middleware):
    """Keeps the address, browser and last visit in allauth's list of sessions up to date.

    allauth's own middleware writes at every request, which costs each page five queries. This one
    writes if something is new, or once in `OFTEN` seconds.
    """

    OFTEN = 300
    KEY = "noted"

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.session.session_key and request.user.is_authenticated:
            parts = [
                request.session.session_key,
                request.headers.get("User-Agent", ""),
                request.META.get("REMOTE_ADDR", ""),
            ]
            fingerprint = hashlib.sha256(repr(parts).encode(errors="replace")).hexdigest()
            recorded, since = request.session.get(self.KEY, ("", 0))
            now = time.time()
            if recorded != fingerprint or not 0 <= now - since < self.OFTEN:
                UserSession.objects.create_from_request(request)
                request.session[self.KEY] = (fingerprint, int(now))
        return self.get_response(request)


class UnreadableFactorMiddleware(Middleware):
    """Answers FactorUnreadable with a page (503): the factor is not lost, the keys are missing."""

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        """Answer an unreadable factor; leave every other error to Django."""
        if not isinstance(error, FactorUnreadable):
            return None
        log.error("a second factor cannot be read with the keys in PLI_FACTOR_KEYS")
        return render(request, "accounts/factor_unreadable.html", status=503)
