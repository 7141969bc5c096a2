"""Settings for mail, notifications and webhooks, links in mails, and the calendar."""

from hashlib import sha256
from typing import cast

from allauth.core.internal.ratelimit import consume
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.utils import translation
from django.utils.cache import get_conditional_response
from django.utils.http import content_disposition_header
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.models import User
from accounts.server_time import server_now
from accounts.users import AuthenticatedRequest
from games.errors import Refusal
from games.views.page import parse_int_or_none
from notifications import errors
from notifications.deletion.requests import ask_for_deletion, call_off_deletion
from notifications.exports import requests
from notifications.forms import MailPreferencesForm, WebhookForm
from notifications.kinds.base import kind_of
from notifications.models import Cadence, DataExport, PushSubscription, Webhook
from notifications.models.data_export import UNFINISHED
from notifications.push import subscriptions, transport
from notifications.services import address_trials, addresses, feeds
from notifications.services.calendar import calendar_of
from notifications.services.one_click import stop_club_letters, unsubscribe_user
from notifications.services.preferences import cadence_of
from notifications.services.unsubscribe import BadToken, member_of_token, preference_from_token
from notifications.webhooks import endpoints


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def mail_preferences(request: HttpRequest) -> HttpResponse:
    form = MailPreferencesForm(request.POST or None, user=cast(User, request.user))
    if form.is_valid():
        form.save(now=server_now())
        messages.success(request, gettext("Your settings are saved."))
        return redirect("mail_preferences")
    return render(request, "notifications/mail_preferences.html", {"form": form})


@login_required
@require_safe
def notifications(request: AuthenticatedRequest) -> HttpResponse:
    """Show in which browsers the user has notifications. Raises NoPush."""
    if not settings.PUSH_KEY:
        raise errors.NoPush
    browsers = PushSubscription.objects.filter(user=request.user).order_by("-pk")
    context = {"browsers": browsers, "public_key": transport.public_key()}
    return render(request, "notifications/notifications.html", context)


@login_required
@require_POST
def notifications_on(request: AuthenticatedRequest) -> HttpResponse:
    """Switch notifications on in this browser: a script fills in what the browser gave it."""
    given = {name: request.POST.get(name, "") for name in ("endpoint", "p256dh", "auth")}
    session_key = request.session.session_key
    subscriptions.subscribe(user=request.user, session_key=session_key, now=server_now(), **given)
    messages.success(request, gettext("Notifications are on in this browser."))
    return redirect("notifications")


@login_required
@require_POST
def notifications_off(request: AuthenticatedRequest) -> HttpResponse:
    """Switch notifications off in one of the user's browsers."""
    key = parse_int_or_none(request.POST.get("browser", ""))
    subscriptions.unsubscribe(user=request.user, subscription_id=key or 0)
    messages.success(request, gettext("Notifications are off in that browser."))
    return redirect("notifications")


@login_required
@require_POST
def notifications_test(request: AuthenticatedRequest) -> HttpResponse:
    """Send a test to all of the user's browsers."""
    if not consume(request, user=request.user, action="send_test", app="allauth.account"):
        raise errors.TestedJustNow
    subscriptions.send_test(user=request.user, now=server_now())
    messages.success(request, gettext("A test is on its way. It arrives within a few seconds."))
    return redirect("notifications")


@login_required
@never_cache
@require_safe
def webhooks(request: AuthenticatedRequest) -> HttpResponse:
    """Show the addresses of programs that are told what happens in the user's games.

    The address can say what the form begins with: it does after a re-authentication.
    """
    given = {key: request.GET[key] for key in ("address", "account") if key in request.GET}
    return webhooks_page(request, form=WebhookForm(request.user, initial=given))


def webhooks_page(
    request: AuthenticatedRequest, *, status: int = 200, **more: object
) -> HttpResponse:
    """Return the page of webhooks; `more` has the `secret` of the one that is `new`, or a form."""
    owned = Webhook.objects.filter(owner=request.user).select_related("user")
    context = {
        "webhooks": owned.order_by("pk"),
        "form": WebhookForm(request.user),
        "accounts": endpoints.accounts_of(request.user),
        "most": endpoints.MOST_WEBHOOKS,
    }
    return render(request, "notifications/webhooks.html", context | more, status=status)


@login_required
@never_cache
@require_POST
def webhook_add(request: AuthenticatedRequest) -> HttpResponse:
    """Add a webhook, and show its secret this once."""
    form, status = WebhookForm(request.user, request.POST), 422
    if form.is_valid():
        try:
            webhook, secret = endpoints.add_webhook(
                owner=request.user,
                username=form.cleaned_data.get("account", request.user.username),
                url=form.cleaned_data["address"],
                now=server_now(),
            )
            return webhooks_page(request, new=webhook, secret=secret)
        except (errors.BadWebhookAddress, errors.WebhookExists, errors.TooManyWebhooks) as refusal:
            form.add_error("address", refusal.sentence)
            status = refusal.status
    return webhooks_page(request, form=form, status=status)


@login_required
@never_cache
@require_POST
def webhook_secret(request: AuthenticatedRequest, number: int) -> HttpResponse:
    """Give a webhook a new secret, and show it this once."""
    webhook, secret = endpoints.renew_secret(owner=request.user, webhook_id=number)
    return webhooks_page(request, new=webhook, secret=secret)


@login_required
@require_POST
def webhook_test(request: AuthenticatedRequest, number: int) -> HttpResponse:
    """Send a test to a webhook."""
    if not consume(request, user=request.user, action="send_test", app="allauth.account"):
        raise errors.TestedJustNow
    endpoints.send_test_message(owner=request.user, webhook_id=number, now=server_now())
    messages.success(request, gettext("A test is on its way. Load this page again in a moment."))
    return redirect("webhooks")


@login_required
@require_POST
def webhook_on(request: AuthenticatedRequest, number: int) -> HttpResponse:
    """Switch a webhook on again."""
    endpoints.switch_webhook_on(owner=request.user, webhook_id=number)
    messages.success(request, gettext("The webhook is on again."))
    return redirect("webhooks")


@login_required
@require_POST
def webhook_remove(request: AuthenticatedRequest, number: int) -> HttpResponse:
    """Remove a webhook."""
    endpoints.remove_webhook(owner=request.user, webhook_id=number)
    messages.success(request, gettext("The webhook is removed."))
    return redirect("webhooks")


@csrf_exempt  # mail programs post here by themselves (RFC 8058); the link itself is the proof
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def unsubscribe(request: HttpRequest, token: str) -> HttpResponse:
    """Switch one kind of mail off by the link in such a mail. A GET changes nothing."""
    try:
        user, kind = preference_from_token(token)
        if request.method == "POST" and kind_of(kind).can_be_switched_off:
            unsubscribe_user(user, kind, now=server_now())
    except BadToken:
        return render(request, "notifications/bad_link.html", status=404)
    if not kind_of(kind).can_be_switched_off:
        return render(request, "notifications/bad_link.html", status=404)
    context = {"kind": kind, "is_off": cadence_of(user, kind) == Cadence.OFF}
    with translation.override(user.language):
        return render(request, "notifications/unsubscribe.html", context)


@csrf_exempt  # as `unsubscribe`
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def club_letters(request: HttpRequest, token: str) -> HttpResponse:
    """Switch the letters of one club off by the link in such a mail. A GET changes nothing."""
    try:
        member = member_of_token(token)
        if request.method == "POST":
            stop_club_letters(member, now=server_now())
            member = member_of_token(token)
    except BadToken:
        return render(request, "notifications/bad_link.html", status=404)
    with translation.override(member.user.language):
        return render(request, "notifications/club_letters.html", {"member": member})


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


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def your_data(request: AuthenticatedRequest) -> HttpResponse:
    """Show how far the export of the user's data has come; a POST asks for a new one."""
    now, refusal = server_now(), None
    if request.method == "POST":
        try:
            requests.ask_for_export(user=request.user, now=now)
        except Refusal as error:
            refusal = error
        else:
            return redirect("your_data")
    export = requests.newest_export(request.user, now=now)
    context = {
        "export": export,
        "is_unfinished": export is not None and export.state in UNFINISHED,
        "refusal": refusal,
        "most": requests.EXPORTS_A_DAY,
    }
    status = 200 if refusal is None else refusal.status
    return render(request, "notifications/your_data.html", context, status=status)


@login_required
@require_safe
def your_data_file(request: AuthenticatedRequest) -> StreamingHttpResponse:
    """Answer the file with the user's data. Raises NoExport if there is none."""
    export = requests.newest_export(request.user, now=server_now())
    if export is None or export.state != DataExport.State.READY or export.made_at is None:
        raise errors.NoExport
    day = export.made_at.astimezone(request.user.zone).date()
    name = f"pli-{request.user.username}-{day}.zip"
    headers = {
        "Content-Disposition": str(content_disposition_header(True, name)),
        "Content-Length": str(export.size),
    }
    content = requests.file_of(export)
    return StreamingHttpResponse(content, content_type="application/zip", headers=headers)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def delete_account(request: AuthenticatedRequest) -> HttpResponse:
    """Say what the deletion of the user's account means; a POST with their name asks for it."""
    user, now, refusal = request.user, server_now(), None
    if request.method == "POST":
        typed = request.POST.get("username", "")
        try:
            ask_for_deletion(user=user, typed_name=typed, request=request, now=now)
        except Refusal as error:
            refusal = error
        else:
            return redirect("delete_account")
    day = user.deletion_due_at or now + settings.DELETION_WAIT
    context = {"refusal": refusal, "day": day, "wait": settings.DELETION_WAIT}
    status = 200 if refusal is None else refusal.status
    return render(request, "notifications/delete_account.html", context, status=status)


@login_required
@require_POST
def keep_account(request: AuthenticatedRequest) -> HttpResponse:
    """Call off the deletion of the user's account. Raises NothingToKeep."""
    call_off_deletion(user=request.user, request=request, now=server_now())
    messages.success(request, gettext("You keep your account. Nothing was deleted."))
    return redirect("your_data")
