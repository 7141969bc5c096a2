"""Sends allauth's mails as ours: through the outbox, in the reader's language."""

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.models import EmailAddress
from allauth.core import context as current
from django.utils import timezone
from django.utils.translation import get_language

from accounts.models import Language, User
from notifications.services.account import write_account_notice


class AccountAdapter(DefaultAccountAdapter):
    """Allauth's ways but for its mail: signing up works while the mail server is down."""

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Put an account mail into the outbox instead of sending it now."""
        reader = _reader(email, context)
        write_account_notice(
            template_prefix=template_prefix,
            address=email,
            reader=reader,
            language=reader.language if reader else _page_language(),
            context=context,
            now=timezone.now(),
        )


def _reader(email: str, context: dict[str, Any]) -> User | None:
    """Return whose account the mail is about, None if nobody has one (or it is not known)."""
    if isinstance(context.get("user"), User):
        return context["user"]
    known = EmailAddress.objects.filter(email__iexact=email).order_by("-verified", "pk")
    address = known.select_related("user").first()
    return address.user if address else _signed_in()


def _signed_in() -> User | None:
    user = getattr(current.request, "user", None)
    return user if isinstance(user, User) else None


def _page_language() -> str:
    language = get_language()
    return language if language in Language.values else Language.ENGLISH
