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
"""The mails that anybody can have sent to an address. All others tell of a change of an account:
they are counted apart, so that nobody can suppress them by asking for codes."""

_MAIL_WRITTEN = "pli.account_mail_written"
"""The key of a request's META that says that an account mail was written for it."""


class AccountAdapter(SignInAdapter):
    """Sends mail through the outbox: signing up works while the mail server is down."""

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Put an account mail into the outbox instead of sending it now."""
        if current.request is not None:
            current.request.META[_MAIL_WRITTEN] = True
        reader = _reader(email, context)
        write_account_notice(
            template_prefix=template_prefix,
            address=email,
            reader=reader,
            language=reader.language if reader else _page_language(),
            context=_with_links_to_the_site(context),
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

        Who has taken an account over can choose the primary one.
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
        """Show a message; one that says that a mail was sent has one sent.

        When a mail is asked for again allauth sends none where there is no account to sign in to,
        or one already: that answer would come sooner than the other.
        """
        if not request.META.get(_MAIL_WRITTEN):
            if message_template == "account/messages/login_code_sent.txt":
                send_unknown_account_mail(request, (message_context or {})["email"])
            elif message_template == "account/messages/email_confirmation_sent.txt":
                self.send_account_already_exists_mail((message_context or {})["email"])
        super().add_message(request, level, message_template, message_context, extra_tags, message)

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        """Return the key that counts failed sign-ins.

        allauth's own contains the Host header: another port in it would give new attempts.
        """
        return str(credentials.get("email", credentials.get("username", ""))).lower()


def _with_links_to_the_site(context: Mapping[str, Any]) -> dict[str, Any]:
    """Return the context of a mail with its links moved to SITE_URL.

    allauth makes them from the request's Host header, which the sender of the request chooses.
    """
    links = {name: urlsplit(url) for name, url in context.items() if name.endswith("_url")}
    moved = {
        name: settings.SITE_URL + url._replace(scheme="", netloc="").geturl()
        for name, url in links.items()
    }
    return {**context, **moved}


def _reader(email: str, context: dict[str, Any]) -> User | None:
    """Return whose account the mail is about, None if nobody has one (or it is not known)."""
    if isinstance(context.get("user"), User):
        return context["user"]
    known = EmailAddress.objects.filter(email=email).order_by("-verified", "pk")
    address = known.select_related("user").first()
    return address.user if address else _signed_in()


def _signed_in() -> User | None:
    user = getattr(current.request, "user", None)
    return user if isinstance(user, User) else None


def _page_language() -> str:
    language = get_language()
    return language if language in Language.values else Language.ENGLISH
