"""Mail in by a provider's webhook: Anymail checks and parses the request, we keep the mail."""

import logging
from collections.abc import Callable
from email import policy
from functools import wraps
from typing import Any

from anymail.signals import AnymailInboundEvent, inbound
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured, RequestDataTooBig
from django.dispatch import receiver
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.urls import URLPattern, path
from django.views.decorators.csrf import csrf_exempt

from accounts.server_time import server_now
from notifications.incoming import receiving
from notifications.models import IncomingMail

log = logging.getLogger(__name__)

MOST_BYTES = 2 * receiving.MAX_SIZE
"""Bytes of a request: providers encode a mail, and some add its parts."""


def webhook_urls(provider: str) -> list[URLPattern]:
    """Return the URL of one provider's inbound webhook; none without a provider.

    Raises ImproperlyConfigured for a provider that Anymail does not know, and without a secret:
    anybody who knows the URL could write mail in anybody's name.
    """
    if not provider:
        return []
    if ":" not in settings.ANYMAIL.get("WEBHOOK_SECRET", ""):
        raise ImproperlyConfigured("PLI_MAIL_WEBHOOK_SECRET must be name:password.")
    from anymail import urls as providers  # every provider: a sixth of what a process loads

    wanted = f"{provider.replace('-', '_')}_inbound_webhook"
    found = [url for url in providers.urlpatterns if url.name == wanted]
    if not found:
        raise ImproperlyConfigured(f"Anymail knows no inbound webhook of {provider!r}.")
    (webhook,) = found
    return [path(str(webhook.pattern), take_large_mails(webhook.callback), name=webhook.name)]


def take_large_mails(view: Callable[..., HttpResponseBase]) -> Callable[..., HttpResponseBase]:
    """Let a view read requests of MOST_BYTES: Django's limit is for forms that people send."""

    @csrf_exempt
    @wraps(view)
    def wrapped(request: HttpRequest) -> HttpResponseBase:
        if request.content_type == "application/json":
            # HttpRequest.body returns what is read already.
            request._body = request.read(MOST_BYTES + 1)
            if len(request.body) > MOST_BYTES:
                raise RequestDataTooBig
        return view(request)

    return wrapped


@receiver(inbound)
def keep(sender: Any, event: AnymailInboundEvent, **more: Any) -> None:
    """Keep a mail. An error makes the request fail, and the provider comes again."""
    message = event.message
    try:
        raw = bytes(message.as_bytes(policy=policy.SMTP))
    except UnicodeError:  # a provider that handed bytes over as text
        raw = str(message.as_string(policy=policy.SMTP)).encode("utf-8", "surrogateescape")
    named = [message.envelope_recipient] if message.envelope_recipient else []
    try:
        receiving.receive(
            raw,
            recipient=receiving.first_known_recipient([*named, *receiving.recipients_of(raw)]),
            envelope_from=message.envelope_sender or "",
            door=IncomingMail.Door.WEBHOOK,
            now=server_now(),
        )
    except (receiving.UnknownRecipient, receiving.MailTooLarge) as refusal:
        # Coming again would change nothing.
        log.warning("a mail from the webhook is not kept: %s", type(refusal).__name__)
