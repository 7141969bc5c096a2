"""The page “Programs and tokens” of the settings."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts import api_tokens
from accounts import programs as program_accounts
from accounts.models import NameTaken
from accounts.program_forms import ProgramForm, TokenForm
from accounts.server_time import server_now
from accounts.users import AuthenticatedRequest


@login_required
@require_safe
def programs(request: AuthenticatedRequest) -> HttpResponse:
    """Show the reader's programs, and the tokens of these and of the reader.

    The address can say what the form for a token begins with: it does after a re-authentication.
    """
    given: dict[str, Any] = {
        key: request.GET[key] for key in ("name", "account", "days") if key in request.GET
    }
    if given:
        given["scopes"] = request.GET.getlist("scopes")
    return _page(request, token_form=TokenForm(request.user, initial=given))


@login_required
@require_POST
@never_cache
def add_token(request: AuthenticatedRequest) -> HttpResponse:
    """Make a token, and show its secret this once."""
    form, now = TokenForm(request.user, request.POST), server_now()
    if not form.is_valid():
        return _page(request, status=422, token_form=form)
    try:
        token, secret = api_tokens.create_token(
            user=form.user,
            name=form.cleaned_data["name"],
            scopes=form.cleaned_data["scopes"],
            expires_at=now + form.lifetime if form.lifetime else None,
            request=request,
            now=now,
        )
    except api_tokens.TooManyTokens:
        form.add_error(None, gettext("This account has too many tokens. Revoke one first."))
        return _page(request, status=409, token_form=form)
    return _page(request, made=token, secret=secret)


@login_required
@require_POST
def end_token(request: AuthenticatedRequest, pk: int) -> HttpResponse:
    token = api_tokens.tokens_of(request.user).filter(pk=pk).first()
    if token is None:
        raise Http404
    api_tokens.revoke_token(token=token, by=request.user, request=request, now=server_now())
    messages.success(request, gettext("The token no longer works."))
    return redirect("programs")


@login_required
@require_POST
def new_program(request: AuthenticatedRequest) -> HttpResponse:
    """Create the account of a program, and show where to say what it accepts."""
    form = ProgramForm(request.POST)
    if form.is_valid():
        try:
            program_accounts.create_program(
                owner=request.user, username=form.cleaned_data["username"]
            )
        except program_accounts.TooManyPrograms:
            form.add_error(None, gettext("You have too many programs. Delete one first."))
        except NameTaken as error:  # somebody took the name a moment ago
            form.add_error("username", error)
        except ValidationError as error:
            form.add_error("username", error.messages[0])
        else:
            messages.success(
                request, gettext("Your program has its account. Now make a token for it below.")
            )
            return redirect("programs")
    return _page(request, status=422, program_form=form)


@login_required
@require_POST
def end_program(request: AuthenticatedRequest, pk: int) -> HttpResponse:
    program = program_accounts.programs_of(request.user).filter(user__pk=pk).first()
    if program is None:
        raise Http404
    program_accounts.delete_program(program=program, now=server_now())
    messages.success(request, gettext("The program is being deleted. It resigns its games."))
    return redirect("programs")


def _page(request: AuthenticatedRequest, status: int = 200, **more: Any) -> HttpResponse:
    context = {
        "now": server_now(),
        "programs": program_accounts.programs_of(request.user),
        "tokens": api_tokens.tokens_of(request.user),
        "token_form": TokenForm(request.user),
        "program_form": ProgramForm(),
    }
    return render(request, "accounts/programs.html", context | more, status=status)
