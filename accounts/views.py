"""A user's own settings."""

from typing import cast

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import translation
from django.utils.translation import gettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django.views.i18n import set_language

from accounts.forms import ProfileForm, PublicProfileForm
from accounts.models import Language, NameTaken, SecurityEvent, User
from accounts.security_log import describe, record_failure, remarks
from accounts.server_time import server_now

ON_A_PAGE = 20
LOCKED = frozenset(
    [
        "account_login",
        "account_reauthenticate",
        "account_change_password",
        "mfa_login_webauthn",
        "mfa_reauthenticate",
        "mfa_reauthenticate_webauthn",
        "reauthenticate_by_code",
    ]
)
"""The pages at which too many requests are a lockout; at the others they only ask for mail."""


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def profile_edit(request: HttpRequest) -> HttpResponse:
    # A copy of its own: a refused name must not appear in the page's header.
    person = User.objects.get(pk=cast(User, request.user).pk)
    form = ProfileForm(request.POST or None, instance=person)
    if form.is_valid():
        try:
            form.save_at(server_now())
        except NameTaken as error:  # somebody took the display name a moment ago
            form.add_error("display_name", error)
        else:
            with translation.override(person.language):
                messages.success(request, gettext("Your settings are saved."))
            return redirect("profile_edit")
    return render(request, "accounts/profile_edit.html", {"form": form, "section": "profile"})


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def public_profile(request: HttpRequest) -> HttpResponse:
    """Let the user choose who sees their profile, and who can find and challenge them."""
    user = cast(User, request.user)
    form = PublicProfileForm(request.POST or None, instance=user)
    if request.method == "POST" and form.is_valid():
        user.save(update_fields=form.Meta.fields)
        messages.success(request, gettext("Your settings are saved."))
        return redirect("public_profile")
    return render(request, "accounts/public_profile.html", {"form": form})


@login_required
@require_safe
def sign_ins(request: HttpRequest) -> HttpResponse:
    """Show the reader's own sign-ins, failed attempts and changes, the newest first."""
    events = SecurityEvent.objects.filter(user=cast(User, request.user))
    page = Paginator(events, ON_A_PAGE).get_page(request.GET.get("page"))
    entries = [{"event": one, "title": describe(one), "remarks": remarks(one)} for one in page]
    context = {"entries": entries, "page": page, "days": settings.SECURITY_EVENTS_KEPT.days}
    return render(request, "accounts/sign_ins.html", context)


def too_many_requests(request: HttpRequest) -> HttpResponse:
    """Answer 429 when an allauth rate limit is exceeded. Record it if it concerns signing in."""
    here = request.resolver_match.url_name if request.resolver_match else None
    if here in LOCKED:
        user = request.user if request.user.is_authenticated else None
        lockout = SecurityEvent.Kind.LOCKOUT
        record_failure(request, user=user, method="", kind=lockout)
    return render(request, "429.html", status=429)


@require_POST
def choose_language(request: HttpRequest) -> HttpResponse:
    """Change the language of the pages, and of the profile of a user who is signed in."""
    language = request.POST.get("language")
    if request.user.is_authenticated and language in Language.values:
        User.objects.filter(pk=request.user.pk).update(language=language)
    return set_language(request)
