"""allauth's forms that take a code or a passkey; a wrong one is recorded in the security log."""

import struct
from collections.abc import Callable
from typing import Any

from allauth.account import forms as account_forms
from allauth.account.adapter import get_adapter
from allauth.core import context
from allauth.mfa.base import forms as factor_forms
from allauth.mfa.webauthn import forms as passkey_forms
from django.core.exceptions import ValidationError

from accounts.models import SecurityEvent, User
from accounts.security_log import record_failure


class _FailureLogMixin:
    """Records failures. `method` is the security log's name for what the form takes."""

    method = "factor"
    user: User | None = None

    def log_failure(self, clean: Callable[[], Any]) -> Any:
        """Return what `clean` returns; record it if it raises ValidationError."""
        try:
            return clean()
        except ValidationError as error:
            is_lockout = error.code == "too_many_login_attempts"
            kind = SecurityEvent.Kind.LOCKOUT if is_lockout else SecurityEvent.Kind.FAILURE
            record_failure(context.request, user=self.user, method=self.method, kind=kind)
            raise


class _CodeMixin(_FailureLogMixin):
    def clean_code(self) -> Any:
        """Return the code. Raises ValidationError for a wrong one, or after too many."""
        return self.log_failure(super().clean_code)  # type: ignore[misc]


class _PasskeyMixin(_FailureLogMixin):
    def clean_credential(self) -> Any:
        """Return the passkey's row. Raises ValidationError for one that is not the user's."""
        clean = super().clean_credential  # type: ignore[misc]

        def clean_credential() -> Any:
            try:
                return clean()
            except (AttributeError, KeyError, TypeError, ValueError, struct.error) as error:
                # allauth lets answers through that no browser makes: their parts are missing.
                raise get_adapter().validation_error("incorrect_code") from error

        return self.log_failure(clean_credential)


class ConfirmLoginCodeForm(_CodeMixin, account_forms.ConfirmLoginCodeForm):
    """Takes a code that was mailed to sign in, or to re-authenticate."""

    method = "code"

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        request = context.request
        if request.user.is_authenticated:
            self.user = request.user
        else:  # None if the address has no account
            self.user = request._login_stage.login.user


class AuthenticateForm(_CodeMixin, factor_forms.AuthenticateForm):
    """Takes the second factor of a sign-in, if that is a code."""


class ReauthenticateForm(_CodeMixin, factor_forms.ReauthenticateForm):
    """Takes a second factor to re-authenticate, if that is a code."""


class AuthenticatePasskeyForm(_PasskeyMixin, passkey_forms.AuthenticateWebAuthnForm):
    """Takes a passkey as the second factor of a sign-in."""


class LoginPasskeyForm(_PasskeyMixin, passkey_forms.LoginWebAuthnForm):
    """Takes a passkey instead of a name and a password."""

    method = "passkey"


class ReauthenticatePasskeyForm(_PasskeyMixin, passkey_forms.ReauthenticateWebAuthnForm):
    """Takes a passkey to re-authenticate."""

    method = "passkey"
