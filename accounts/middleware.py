"""Every page in the reader's language and time zone; who is kept out, and who gets in."""

import hashlib
import time
from collections.abc import Callable
from datetime import tzinfo
from urllib.parse import urlencode

from allauth.account.adapter import get_adapter
from allauth.account.internal.flows.reauthentication import raise_if_reauthentication_required
from allauth.core.exceptions import ReauthenticationRequired
from allauth.usersessions.models import UserSession
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext

from accounts.models import Sanction
from accounts.server_time import server_now
from accounts.sessions import is_over, keep_reason, lifetime_of
from accounts.staff import has_staff_powers


class UserLocaleMiddleware:
    """Answers somebody signed in by their profile; others by what LocaleMiddleware found."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Return the page, made in the reader's language and zone."""
        user = request.user
        if not user.is_authenticated:
            return self._answer(request, translation.get_language(), None)
        return self._answer(request, user.language, user.zone)

    def _answer(
        self, request: HttpRequest, language: str | None, zone: tzinfo | None
    ) -> HttpResponse:
        with translation.override(language), timezone.override(zone):
            request.LANGUAGE_CODE = translation.get_language()
            response = self.get_response(request)
            response.headers.setdefault("Content-Language", translation.get_language())
        return response


class SuspendedUserMiddleware:
    """Shows suspended users why and until when, and nothing else.

    They can sign out. Costs no query for anybody else.
    """

    ALLOWED = ("account_logout", "choose_language", "outages")
    """The pages that they can still use."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Return the page that was asked for, or the one that says why not."""
        user, now = request.user, server_now()
        if not user.is_authenticated or not user.is_barred(now):
            return self.get_response(request)
        if request.path in {reverse(name) for name in self.ALLOWED}:
            return self.get_response(request)
        standing = [sanction for sanction in user.sanctions.all() if sanction.stands(now)]
        kept_out = [sanction for sanction in standing if sanction.kind in Sanction.KEEPS_OUT]
        return render(request, "accounts/barred.html", {"sanctions": kept_out}, status=403)


class StaffMfaMiddleware:
    """Lets nobody into the admin without a second factor, whatever their role."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Pass the request on."""
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: object, args: object, kwargs: object
    ) -> HttpResponse | None:
        """Lead to where a second factor is set up whoever comes to the admin without one."""
        user, place = request.user, request.resolver_match
        if place is None or "admin" not in place.app_names:
            return None
        if not user.is_authenticated or not user.is_staff or has_staff_powers(user):
            return None
        messages.warning(request, gettext("The admin needs a second factor: set one up first."))
        return redirect("mfa_index")


class ReauthenticationMiddleware:
    """Asks people to re-authenticate at the pages of accounts where allauth does not.

    The form is not kept for later, as allauth does elsewhere: it may hold a new password.
    """

    ALWAYS = frozenset({"account_set_password"})
    FORMS = frozenset({"account_email_verification_sent"})

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Pass the request on."""
        return self.get_response(request)

    def process_view(
        self, request: HttpRequest, view: object, args: object, kwargs: object
    ) -> HttpResponse | None:
        """Lead to the page where this person re-authenticates, if they have to."""
        if not request.user.is_authenticated or not self._is_guarded(request):
            return None
        try:
            raise_if_reauthentication_required(request, app="allauth.account")
        except ReauthenticationRequired:
            methods = get_adapter().get_reauthentication_methods(request.user)
            return redirect(f"{methods[0]['url']}?{urlencode({'next': request.path})}")
        return None

    def _is_guarded(self, request: HttpRequest) -> bool:
        name = request.resolver_match.url_name if request.resolver_match else None
        return name in self.ALWAYS or (name in self.FORMS and request.method == "POST")


class SessionLifetimeMiddleware:
    """Signs people out a fixed time after their sign-in. Costs no query before that."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Sign out, and lead from a page to the sign-in page, which says why."""
        user = request.user
        if not user.is_authenticated or not is_over(request, user):
            return self.get_response(request)
        lifetime = lifetime_of(user)
        logout(request)
        keep_reason(request.session, lifetime)
        if _is_page_view(request):
            return redirect_to_login(request.get_full_path())
        return self.get_response(request)


def _is_page_view(request: HttpRequest) -> bool:
    """Return whether a browser wants to show the answer as a page, not use it within one."""
    use = request.headers.get("Sec-Fetch-Dest", "document")
    return request.method == "GET" and use == "document" and "HX-Request" not in request.headers


class UserSessionMiddleware:
    """Notes for allauth's list of sessions where and with what somebody was here last.

    allauth's own middleware does so at every request, which costs each page five questions to the
    database: this one does when something is new about it, or once in `OFTEN` seconds.
    """

    OFTEN = 300
    KEY = "noted"

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Note it, if it is time to."""
        if request.session.session_key and request.user.is_authenticated:
            self._note(request)
        return self.get_response(request)

    def _note(self, request: HttpRequest) -> None:
        who, since = request.session.get(self.KEY, ("", 0))
        now = time.time()
        if who == self._known_by(request) and 0 <= now - since < self.OFTEN:
            return
        UserSession.objects.create_from_request(request)
        request.session[self.KEY] = (self._known_by(request), int(now))

    def _known_by(self, request: HttpRequest) -> str:
        """Return what changes when the session, the program or the place does."""
        said = [request.session.session_key, request.headers.get("User-Agent", "")]
        said.append(request.META.get("REMOTE_ADDR", ""))
        return hashlib.sha256(repr(said).encode(errors="replace")).hexdigest()
