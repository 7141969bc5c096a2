"""Answering an invitation: by its link, or as the invited user."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from accounts.server_time import server_now
from accounts.users import AuthenticatedRequest
from games import errors
from games.models import Game, Invitation
from games.queries.positions import thumbnail_of
from games.queries.seats import invitations_to, seat_of
from games.services import invitations, tables
from games.services.tables import free_seats
from games.views.page import named_seats, visible_game


@never_cache
@require_safe
def by_link(request: HttpRequest, token: str) -> HttpResponse:
    """Show an invitation; opening the link changes nothing."""
    invitation = invitations.from_token(token)
    if invitation.state != Invitation.State.OPEN:
        raise errors.InvitationAnswered
    context = {
        "invitation": invitation,
        "game": invitation.game,
        "token": token,
        "seats": named_seats(invitation.game),
        "board": thumbnail_of(invitation.game, request.user),
    }
    return render(request, "games/invitation.html", context)


@never_cache
@require_POST
def answer_by_link(request: HttpRequest, token: str) -> HttpResponse:
    """Accept an invitation (signed in), or decline it (with the link alone)."""
    invitation = invitations.from_token(token)
    user = request.user if isinstance(request.user, User) else None
    if _declines(request):
        invitations.decline(
            invitation_id=invitation.pk, user=invitation.user or user, now=server_now()
        )
        return render(request, "games/declined.html", {"invitation": invitation})
    if user is None:
        return redirect_to_login(request.path.removesuffix("answer/"))
    game = invitations.accept(invitation_id=invitation.pk, user=user, now=server_now())
    return redirect(game)


@never_cache
@require_safe
def table_link(request: HttpRequest, token: str) -> HttpResponse:
    """Show the table of a link, even a private one; opening the link changes nothing."""
    game = tables.game_of_link(token)
    if seat_of(game, request.user) is not None:
        return redirect(game)
    if game.status != Game.Status.OPEN:
        raise errors.TableNotOpen
    context = {
        "game": game,
        "token": token,
        "seats": named_seats(game),
        "free_seats": free_seats(game),
        "board": thumbnail_of(game, request.user),
    }
    return render(request, "games/table_link.html", context)


@never_cache
@require_POST
def join_by_link(request: HttpRequest, token: str) -> HttpResponse:
    """Sit down at the table of a link; whoever is not signed in does that first."""
    if not isinstance(request.user, User):
        return redirect_to_login(request.path.removesuffix("join/"))
    game = tables.join_by_link(token=token, user=request.user, now=server_now())
    return redirect(game)


@login_required
@require_POST
def change_link(request: AuthenticatedRequest, pk: int) -> HttpResponse:
    """Make a link to a table of the user, or revoke it if `do` is "revoke"."""
    visible_game(request, pk)
    if request.POST.get("do") == "revoke":
        tables.revoke_link(game_id=pk, by=request.user, now=server_now())
        messages.success(request, _("The link no longer works."))
    else:
        tables.create_link(game_id=pk, by=request.user, now=server_now())
        messages.success(request, _("The link is ready: copy it and send it to whom you like."))
    return redirect("game", pk)


@login_required
@require_POST
def answer(request: AuthenticatedRequest, pk: int) -> HttpResponse:
    """Accept or decline as the invited user."""
    invitation = invitations_to(request.user).filter(pk=pk).first()
    if invitation is None:
        raise errors.InvitationAnswered
    if _declines(request):
        invitations.decline(invitation_id=pk, user=request.user, now=server_now())
        messages.success(request, _("You have declined."))
        return redirect("home")
    game = invitations.accept(invitation_id=pk, user=request.user, now=server_now())
    return redirect(game)


def _declines(request: HttpRequest) -> bool:
    """Return whether the answer is no rather than yes. Raises BadAnswer for anything else."""
    given = request.POST.get("answer")
    if given not in ("accept", "decline"):
        raise errors.BadAnswer
    return given == "decline"
