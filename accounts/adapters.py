"""How allauth is extended: sign-in and second factors. Its mail is in notifications."""

import time
from typing import Any
from urllib.parse import urlsplit

from allauth.account import app_settings
from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.authentication import get_authentication_records
from allauth.account.models import EmailAddress
from allauth.core import context
from allauth.core.exceptions import ReauthenticationRequired
from allauth.mfa.adapter import DefaultMFAAdapter
from django.conf import settings
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from accounts import factor_keys
from accounts.guests import guest_of
from accounts.models import SecurityEvent
from accounts.security_log import find_user, record_failure
from accounts.users import is_only_verified


class SignInAdapter(DefaultAccountAdapter):
    """Asks people without a password to re-authenticate too, and records lockouts.

    Accounts that are made by answering an invitation have no password: their owners sign in with a
    mailed code. allauth lets people for whom it knows no way to re-authenticate do everything.
    """

    def login(self, request: HttpRequest, user: Any) -> None:
        """Sign in, and mark the request if it is this user's very first sign-in."""
        request.is_first_sign_in = user.last_login is None  # type: ignore[attr-defined]
        super().login(request, user)

    def new_user(self, request: HttpRequest) -> Any:
        """Return the user to save. A guest keeps the same row, and so the games."""
        return guest_of(request) or super().new_user(request)

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Record a lockout after too many wrong passwords. Raises ValidationError."""
        try:
            super().pre_authenticate(request, **credentials)
        except ValidationError:
            user = find_user(credentials)
            kind = SecurityEvent.Kind.LOCKOUT
            record_failure(request, user=user, method="password", kind=kind)
            raise

    def get_reauthentication_methods(self, user: Any) -> list[dict[str, Any]]:
        """Return allauth's methods; where there are none, a code by e-mail."""
        methods: list[dict[str, Any]] = super().get_reauthentication_methods(user)
        if methods or not user.is_authenticated:
            return methods
        by_code = {
            "id": "reauthenticate_by_code",
            "description": _("Use a code by e-mail"),
            "url": reverse("reauthenticate_by_code"),
        }
        return [by_code]

    def is_reauthentication_required(self, *, app: str, **kwargs: Any) -> bool:
        """Return whether `app` asks people to re-authenticate.

        Raises ReauthenticationRequired for a user who has none of allauth's methods and entered no
        mailed code recently: allauth does not look at the time of that code.
        """
        if not super().is_reauthentication_required(app=app, **kwargs):
            return False
        request = context.request
        own_methods = super().get_reauthentication_methods(request.user)
        if not own_methods:
            records = get_authentication_records(request, request.user)
            times = [record["at"] for record in records if record.get("reauthenticated")]
            if not times or time.time() - times[-1] >= app_settings.REAUTHENTICATION_TIMEOUT:
                raise ReauthenticationRequired
        return True

    def can_delete_email(self, email_address: EmailAddress) -> bool:
        """Keep the only verified address of an account."""
        return super().can_delete_email(email_address) and not is_only_verified(email_address)


class MFAAdapter(DefaultMFAAdapter):
    """Encrypts secrets; makes passkeys for the site's address, not for the request's Host."""

    def encrypt(self, text: str) -> str:
        return factor_keys.encrypt(text)

    def decrypt(self, encrypted_text: str) -> str:
        """Return a stored secret. Raises FactorUnreadable."""
        return factor_keys.decrypt(encrypted_text)

    def get_public_key_credential_rp_entity(self) -> dict[str, str]:
        """Return the relying party (Web Authentication, section 5.4.2)."""
        return {"id": urlsplit(settings.SITE_URL).hostname or "", "name": settings.SITE_NAME}
