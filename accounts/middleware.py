"""Every page in the reader's language and time zone; who is kept out, and who gets in."""

import hashlib
import time
from collections.abc import Callable
from datetime import tzinfo
from typing import Any

from allauth.mfa.utils import is_mfa_enabled
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext

from accounts.models import Sanction


class PersonMiddleware:
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


class BarredMiddleware:
    """Shows somebody whom a moderator keeps out why and until when, and nothing else.

    They can sign out. Costs no query for anybody else.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Return the page that was asked for, or the one that says why not."""
        user, now = request.user, timezone.now()
        if not user.is_authenticated or not user.is_barred(now) or _may_always(request):
            return self.get_response(request)
        standing = [sanction for sanction in user.sanctions.all() if sanction.stands(now)]
        kept_out = [sanction for sanction in standing if sanction.kind in Sanction.KEEPS_OUT]
        return render(request, "accounts/barred.html", {"sanctions": kept_out}, status=403)


def _may_always(request: HttpRequest) -> bool:
    return request.path in {
        reverse("account_logout"),
        reverse("choose_language"),
        reverse("outages"),
    }


class StaffMiddleware:
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
        if place is None or "admin" not in place.app_names or not settings.STAFF_NEEDS_TWO_FACTORS:
            return None
        if not user.is_authenticated or not user.is_staff or _has_second_factor(user):
            return None
        messages.warning(request, gettext("The admin needs a second factor: set one up first."))
        return redirect("mfa_index")


def _has_second_factor(user: Any) -> bool:
    """Tell whether somebody has one still: who gave it up comes in no more, signed in or not."""
    known = getattr(user, "has_second_factor", None)  # `Backend.get_user` has put it there
    return is_mfa_enabled(user) if known is None else bool(known)


class SessionNotes:
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
