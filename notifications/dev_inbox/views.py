"""The development inbox of `make run`, the page “Letterbox”: every mail as its reader sees it.

It shows everybody's mail to anybody, so it is only there with `make run` and a folder for mails.
Nothing in a mail can run: its HTML is shown in a sandbox.
"""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.server_time import server_now
from notifications.dev_inbox.mails import Mail, NoSuchMail, mail_named, newest
from notifications.dev_inbox.reply import NotSent, reply_to
from notifications.models import Kind

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, P], HttpResponse]

LONGEST_REPLY = 20_000
"""Characters."""

SANDBOX = "allow-popups allow-popups-to-escape-sandbox"
"""A link in a mail opens a page of its own, outside the sandbox; nothing else is allowed."""

MAIL_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; "
    f"frame-ancestors 'self'; sandbox {SANDBOX}"
)
"""The page's own Content-Security-Policy, instead of the site's: no scripts at all."""


def dev_only(view: View[P]) -> View[P]:
    """Respond with 404 if there is no development inbox."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
        if not settings.DEVELOPMENT or settings.LETTERBOX_DIR is None:
            raise Http404
        return view(request, *args, **kwargs)

    return never_cache(guarded)


@dev_only
@require_safe
def message_list(request: HttpRequest) -> HttpResponse:
    recipient = request.GET.get("to", "").strip()
    everybody = sorted({mail.recipient for mail in newest()})
    context = {
        "mails": [(mail, kind_label(mail)) for mail in newest(recipient)],
        "recipient": recipient,
        "recipients": everybody,
    }
    return render(request, "letterbox/list.html", context)


@dev_only
@require_safe
def message_detail(request: HttpRequest, name: str) -> HttpResponse:
    """Show one mail: as its reader sees it, its text, links, headers and source."""
    mail = mail_or_404(name)
    context = {
        "mail": mail,
        "kind": kind_label(mail),
        "source": mail.source.decode("utf-8", "replace"),
        "sandbox": SANDBOX,
        "listener": settings.LISTEN,
    }
    return render(request, "letterbox/mail.html", context)


@dev_only
@require_safe
def message_html(request: HttpRequest, name: str) -> HttpResponse:
    """Return the HTML of one mail alone, for the sandboxed frame."""
    html = mail_or_404(name).html
    page = html.replace("<head>", '<head><base target="_blank">', 1)
    return HttpResponse(page, headers={"Content-Security-Policy": MAIL_POLICY})


@dev_only
@require_safe
def message_source(request: HttpRequest, name: str) -> HttpResponse:
    return HttpResponse(mail_or_404(name).source, content_type="text/plain; charset=utf-8")


@dev_only
@require_POST
def message_reply(request: HttpRequest, name: str) -> HttpResponse:
    mail = mail_or_404(name)
    text = request.POST.get("text", "")[:LONGEST_REPLY]
    if not mail.reply_to:
        raise Http404
    try:
        reply_to(mail, text, now=server_now())
    except NotSent as refusal:
        words = gettext("The mail server did not accept your reply: %(words)s")
        messages.error(request, words % {"words": refusal})
        return redirect("letterbox_mail", name)
    messages.success(request, gettext("Your reply was sent. The answer will appear here soon."))
    return redirect(f"{reverse('letterbox')}?{urlencode({'to': mail.recipient})}")


def mail_or_404(name: str) -> Mail:
    try:
        return mail_named(name)
    except NoSuchMail:
        raise Http404 from None


def kind_label(mail: Mail) -> str:
    return str(Kind(mail.kind).label) if mail.kind in Kind.values else ""
