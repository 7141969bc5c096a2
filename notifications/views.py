"""Settings for mail, links in mails, and the calendar."""

from hashlib import sha256
from typing import cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import translation
from django.utils.cache import get_conditional_response
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.models import User
from accounts.server_time import server_now
from notifications.forms import MailPreferencesForm
from notifications.kinds.base import kind_of
from notifications.models import Cadence
from notifications.services import address_trials, addresses, feeds
from notifications.services.calendar import calendar_of
from notifications.services.preferences import cadence_of, set_cadence
from notifications.services.unsubscribe import BadToken, preference_from_token


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def mail_preferences(request: HttpRequest) -> HttpResponse:
    form = MailPreferencesForm(request.POST or None, user=cast(User, request.user))
    if form.is_valid():
        form.save(now=server_now())
        messages.success(request, gettext("Your settings are saved."))
        return redirect("mail_preferences")
    return render(request, "notifications/mail_preferences.html", {"form": form})


@csrf_exempt  # mail programs post here by themselves (RFC 8058); the link itself is the proof
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def unsubscribe(request: HttpRequest, token: str) -> HttpResponse:
    """Switch one kind of mail off by the link in such a mail. A GET changes nothing."""
    try:
        user, kind = preference_from_token(token)
    except BadToken:
        return render(request, "notifications/bad_link.html", status=404)
    if not kind_of(kind).can_be_switched_off:
        return render(request, "notifications/bad_link.html", status=404)
    if request.method == "POST":
        set_cadence(user=user, kind=kind, cadence=Cadence.OFF)
    context = {"kind": kind, "is_off": cadence_of(user, kind) == Cadence.OFF}
    with translation.override(user.language):
        return render(request, "notifications/unsubscribe.html", context)


@login_required
@require_POST
def try_address(request: HttpRequest) -> HttpResponse:
    """Send a mail to a suspended address; its link lets notices go there again."""
    address = request.POST.get("address", "")
    try:
        address_trials.try_address(user=cast(User, request.user), address=address, now=server_now())
    except address_trials.BadTrial:
        messages.info(request, gettext("We already write to this address."))
    except address_trials.TriedJustNow:
        messages.info(request, gettext("A mail is already on its way. Wait a few minutes."))
    except address_trials.TriedTooOften:
        messages.info(
            request, gettext("Too many mails went to this address. Try again in an hour.")
        )
    else:
        sent = gettext("A mail is on its way to %(address)s. Open its link when it arrives.")
        messages.success(request, sent % {"address": address})
    return redirect("mail_preferences")


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def address_again(request: HttpRequest, token: str) -> HttpResponse:
    """Let notices go to an address again by the link in such a mail. A GET changes nothing."""
    try:
        if request.method == "POST":
            address = address_trials.resume_by_link(token, now=server_now())
        else:
            address = address_trials.address_of_link(token)
    except address_trials.BadTrial:
        return render(request, "notifications/bad_trial.html", status=404)
    context = {"address": address, "works": not addresses.is_address_suspended(address)}
    return render(request, "notifications/address_again.html", context)


@login_required
@require_POST
def calendar_feed(request: HttpRequest) -> HttpResponse:
    user = cast(User, request.user)
    if request.POST.get("do") == "revoke":
        feeds.revoke(user=user)
        messages.success(request, gettext("Your calendar is switched off."))
    else:
        feeds.renew(user=user, now=server_now())
        messages.success(request, gettext("Your calendar has a new address."))
    return redirect("your_time")


@require_safe
def calendar(request: HttpRequest, key: str) -> HttpResponse:
    """Answer a calendar program: the secret address is all the proof that it has."""
    reader = feeds.reader_of(key)
    if reader is None:
        raise Http404
    content = calendar_of(reader, now=server_now())
    etag = f'"{sha256(content).hexdigest()}"'
    fresh = HttpResponse(content, content_type="text/calendar; charset=utf-8")
    answer = get_conditional_response(request, etag=etag, response=fresh) or fresh
    answer["ETag"] = etag
    answer["Cache-Control"] = "no-store, private"
    answer["X-Robots-Tag"] = "noindex"
    return answer
