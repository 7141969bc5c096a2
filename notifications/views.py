"""Choosing what mail one gets, signed in or by the link in a mail."""

from typing import cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import translation
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods

from accounts.models import User
from notifications.forms import MailPreferencesForm
from notifications.models import Cadence
from notifications.services.preferences import ALWAYS, BadToken, cadence_of, choose, from_token


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def mail_preferences(request: HttpRequest) -> HttpResponse:
    """Show and change which mail the person gets."""
    form = MailPreferencesForm(request.POST or None, user=cast(User, request.user))
    if form.is_valid():
        form.save()
        messages.success(request, gettext("Your settings are saved."))
        return redirect("mail_preferences")
    return render(request, "notifications/mail_preferences.html", {"form": form})


@csrf_exempt  # mail programs post here by themselves (RFC 8058); the link itself is the proof
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def unsubscribe(request: HttpRequest, token: str) -> HttpResponse:
    """Switch one kind of mail off by the link in such a mail; only a POST acts."""
    try:
        user, kind = from_token(token)
    except BadToken:
        return render(request, "notifications/bad_link.html", status=404)
    if kind in ALWAYS:
        return render(request, "notifications/bad_link.html", status=404)
    if request.method == "POST":
        choose(user=user, kind=kind, cadence=Cadence.OFF)
    context = {"kind": kind, "is_off": cadence_of(user, kind) == Cadence.OFF}
    with translation.override(user.language):
        return render(request, "notifications/unsubscribe.html", context)
