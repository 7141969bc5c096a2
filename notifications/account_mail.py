"""Sends allauth's mails as ours: through the outbox, in the reader's language."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from allauth.account.internal.flows.signup import send_unknown_account_mail
from allauth.account.models import EmailAddress
from allauth.core import context as current
from django.conf import settings
from django.http import HttpRequest
from django.utils.translation import get_language

from accounts.adapters import SignInAdapter
from accounts.models import Language, User
from accounts.server_time import server_now
from notifications.models import AccountMailCount
from notifications.services.account import write_account_notice

Group = AccountMailCount.Group

REQUESTED = frozenset(
    f"account/email/{name}"
    for name in (
        "account_already_exists",
        "email_confirmation",
        "email_confirmation_signup",
        "login_code",
        "password_reset_code",
        "password_reset_key",
        "reauthentication_code",
        "unknown_account",
    )
)
"""The mails that anybody can request for an address. All others tell of a change of an account and
are counted separately, so that nobody can suppress them by requesting codes."""

MAIL_WRITTEN = "pli.account_mail_written"
"""The key in a request's META that says that an account mail was written for it."""


class AccountAdapter(SignInAdapter):
    """Sends mail through the outbox: signing up works while the mail server is down."""

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Put an account mail into the outbox instead of sending it now."""
        if current.request is not None:
            current.request.META[MAIL_WRITTEN] = True
        reader = reader_of_account_mail(email, context)
        page_language = get_language()
        if page_language not in Language.values:
            page_language = Language.ENGLISH
        # allauth makes links from the request's Host header, which the sender of the request
        # chooses: they are moved to SITE_URL.
        links = {name: urlsplit(url) for name, url in context.items() if name.endswith("_url")}
        moved = {
            name: settings.SITE_URL + url._replace(scheme="", netloc="").geturl()
            for name, url in links.items()
        }
        write_account_notice(
            template_prefix=template_prefix,
            address=email,
            reader=reader,
            language=reader.language if reader else page_language,
            context={**context, **moved},
            group=Group.REQUESTED if template_prefix in REQUESTED else Group.NOTIFICATION,
            now=server_now(),
        )

    def send_notification_mail(
        self,
        template_prefix: str,
        user: User,
        context: dict[str, Any] | None = None,
        email: str | None = None,
    ) -> None:
        """Tell every verified address of a change, not only the primary one.

        An attacker who has taken an account over can choose the primary one.
        """
        verified = EmailAddress.objects.filter(user=user, verified=True).order_by("pk")
        addresses = [email] if email else verified.values_list("email", flat=True)
        for address in addresses:
            super().send_notification_mail(
                template_prefix, user, {"user": user, **(context or {})}, email=address
            )

    def add_message(  # noqa: PLR0917  (allauth's signature)
        self,
        request: HttpRequest,
        level: int,
        message_template: str | None = None,
        message_context: dict[str, Any] | None = None,
        extra_tags: str = "",
        message: str | None = None,
    ) -> None:
        """Show a message. If it says that a mail was sent, make sure that one is.

        When a mail is requested again, allauth sends none if the account does not exist (or exists
        already, at sign-up): the faster response would reveal that.
        """
        if not request.META.get(MAIL_WRITTEN):
            if message_template == "account/messages/login_code_sent.txt":
                send_unknown_account_mail(request, (message_context or {})["email"])
            elif message_template == "account/messages/email_confirmation_sent.txt":
                self.send_account_already_exists_mail((message_context or {})["email"])
        super().add_message(request, level, message_template, message_context, extra_tags, message)

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        """Return the key that counts failed sign-ins.

        allauth's own key contains the Host header: another port there would give new attempts.
        """
        return str(credentials.get("email", credentials.get("username", ""))).lower()


def reader_of_account_mail(email: str, context: Mapping[str, Any]) -> User | None:
    """Return the user whose account the mail is about; None if there is none or it is unknown."""
    if isinstance(context.get("user"), User):
        return context["user"]
    known = EmailAddress.objects.filter(email=email).order_by("-verified", "pk")
    address = known.select_related("user").first()
    signed_in = getattr(current.request, "user", None)
    if address is None:
        return signed_in if isinstance(signed_in, User) else None
    return address.user
