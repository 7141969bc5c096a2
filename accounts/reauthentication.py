"""Re-authentication by a mailed code, for people without a password and without a factor."""

from typing import Any, Self

from allauth.account import app_settings
from allauth.account.adapter import get_adapter
from allauth.account.internal.flows.code_verification import AbstractCodeVerificationProcess
from allauth.account.internal.flows.login import record_authentication
from allauth.account.models import EmailAddress
from allauth.account.views import BaseReauthenticateView
from allauth.core import ratelimit
from django import forms
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.decorators import method_decorator

from accounts.sign_in_forms import ConfirmLoginCodeForm


class CodeProcess(AbstractCodeVerificationProcess):
    """The code that was mailed, in the session until it is used, wrong too often or too old.

    It lives as long, and may be mistyped as often, as a code that signs somebody in.
    """

    KEY = "account_reauthentication_code"

    def __init__(self, request: HttpRequest, state: dict[str, Any]) -> None:
        self.request = request
        super().__init__(
            state=state,
            max_attempts=app_settings.LOGIN_BY_CODE_MAX_ATTEMPTS,
            timeout=app_settings.LOGIN_BY_CODE_TIMEOUT,
        )

    @classmethod
    def start(cls, request: HttpRequest, address: str) -> Self:
        """Mail a new code to the user of the request; it replaces an older one."""
        process = cls(request, cls.initial_state(user=request.user, email=address))
        process.state["code"] = get_adapter().generate_login_code()
        process.send()
        process.persist()
        return process

    @classmethod
    def resume(cls, request: HttpRequest) -> Self | None:
        """Return the code that this user was sent; None without any, or if it is too old."""
        state = request.session.get(cls.KEY)
        return cls(request, state).abort_if_invalid() if state else None

    def send(self) -> None:
        sessions_url = settings.SITE_URL + reverse("usersessions_list")
        context = {"code": self.code, "user": self.user, "sessions_url": sessions_url}
        get_adapter().send_mail("account/email/reauthentication_code", self.state["email"], context)

    def persist(self) -> None:
        self.request.session[self.KEY] = self.state

    def abort(self) -> None:
        self.request.session.pop(self.KEY, None)


@method_decorator(login_required, name="dispatch")
class ReauthenticateByCodeView(BaseReauthenticateView):
    """Mails a code when asked to (POST with `action=send`), and takes it."""

    template_name = "account/reauthenticate_by_code.html"

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        self.process = CodeProcess.resume(request)
        response: HttpResponseBase = super().dispatch(request, *args, **kwargs)
        return response

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Send a code, or check the one that was typed."""
        if request.POST.get("action") == "send":
            address = _address(request.user)
            if ratelimit.consume(request, action="request_login_code", key=address.lower()):
                CodeProcess.start(request, address)
            else:
                messages.error(request, get_adapter().error_messages["rate_limited"])
        elif self.process is not None:
            response: HttpResponse = super().post(request, *args, **kwargs)
            return response
        return redirect(self.passthrough_next_url(request.path))

    def get_form(self, form_class: type[forms.Form] | None = None) -> forms.Form:
        code = self.process.code if self.process else ""
        return ConfirmLoginCodeForm(self.request.POST or None, code=code)

    def form_valid(self, form: forms.Form) -> HttpResponse:
        """Record the re-authentication, and continue with what the user wanted to do."""
        self.request.session.pop(CodeProcess.KEY, None)
        record_authentication(self.request, self.request.user, method="code", reauthenticated=True)
        response: HttpResponse = super().form_valid(form)
        return response

    def form_invalid(self, form: forms.Form) -> HttpResponse:
        """Count a wrong code. After the last attempt the code that was sent is invalid."""
        if self.process is not None and self.process.record_invalid_attempt():
            response: HttpResponse = super().form_invalid(form)
            return response
        wrong = get_adapter().error_messages["too_many_login_attempts"]
        messages.error(self.request, wrong)
        return redirect(self.passthrough_next_url(self.request.path))

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        known = {"is_sent": self.process is not None, "email": _address(self.request.user)}
        context: dict[str, Any] = super().get_context_data(**kwargs)
        return context | known


def _address(user: Any) -> str:
    """Return the verified address that codes go to. Raises PermissionDenied without one."""
    verified = EmailAddress.objects.filter(user=user, verified=True).order_by("-primary", "pk")
    address = verified.values_list("email", flat=True).first()
    if address is None:
        raise PermissionDenied
    return str(address)
