"""Mail users about changes of their accounts that allauth does not mail about."""

from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.models import EmailAddress
from allauth.account.signals import email_removed
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.dispatch import receiver
from django.urls import reverse

from accounts.models import User
from accounts.security_log import FACTORS, factor_removed_by_staff, signed_in_on_new_device


@receiver(email_removed)
def tell_removed_address(user: User, email_address: EmailAddress, **rest: Any) -> None:
    """Tell a verified address that it was removed. Others may be somebody else's."""
    if email_address.verified:
        get_adapter().send_notification_mail(
            "account/email/email_deleted",
            user,
            {"deleted_email": email_address.email},
            email=email_address.email,
        )


@receiver(signed_in_on_new_device)
def tell_of_new_device(user: User, **rest: Any) -> None:
    """Tell a user of a sign-in on a new device."""
    context = {
        "sessions_url": _url("usersessions_list"),
        "password_url": _url("account_change_password"),  # a first password is set there too
    }
    get_adapter().send_notification_mail("account/email/new_device", user, context)


@receiver(factor_removed_by_staff)
def tell_of_removed_factor(user: User, authenticator: Authenticator, **rest: Any) -> None:
    """Tell the owner of a second factor that a superuser removed it."""
    context = {
        "factor": FACTORS[authenticator.type],
        "factors_url": _url("mfa_index"),
        "password_url": _url("account_change_password"),
    }
    get_adapter().send_notification_mail("account/email/factor_removed", user, context)


def _url(name: str) -> str:
    return str(settings.SITE_URL) + reverse(name)
