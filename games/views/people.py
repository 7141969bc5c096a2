"""Profiles, the search for players, and the players whom one follows."""

from allauth.core.internal.ratelimit import consume
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from accounts.server_time import server_now
from accounts.users import AuthenticatedRequest
from accounts.views import too_many_requests
from games.clock.durations import rounded_up_in_words
from games.queries.people import MOST_FOUND, SHORTEST_SEARCH, find_people, followed_by
from games.queries.profiles import profile_of
from games.queries.ratings import kind_words, rated_level_words, rating_words
from games.services.conduct import follows


@require_safe
def profile(request: HttpRequest, username: str) -> HttpResponse:
    """Show a player to whoever asks, as the player chose."""
    found = profile_of(username, request.user, now=server_now())
    if found is None:
        raise Http404
    person = found.person
    if person.username != username:
        return redirect(person)
    times = found.answering
    context = {
        "profile": found,
        "person": person,
        "kinds": found.kinds,
        "total": found.total,
        "opponents": found.opponents,
        "ratings": [
            {
                "one": one,
                "level": rated_level_words(one),
                "kind": kind_words(one.table_kind),
                "words": rating_words(one),
            }
            for one in found.ratings
        ],
        "games": found.games,
        "answering": times,
        "median": rounded_up_in_words(times.median) if times else "",
        "slow": rounded_up_in_words(times.slow) if times else "",
        "awaiting_count": found.facts["awaiting_count"],
    }
    return render(request, "games/profile.html", context)


@login_required
@require_safe
def people(request: AuthenticatedRequest) -> HttpResponse:
    """Search for players by name (`q`), and list those whom the user follows."""
    typed = request.GET.get("q", "").strip()[:60]
    is_short = len(typed) < SHORTEST_SEARCH
    # allauth's public function lets every GET pass.
    limit = {"app": "allauth.account", "action": "search_people", "limit_get": True}
    if not is_short and not consume(request, user=request.user, **limit):
        return too_many_requests(request)
    context = {
        "typed": typed,
        "is_short": is_short,
        "found": find_people(typed),
        "most": MOST_FOUND,
        "followed": followed_by(request.user),
    }
    return render(request, "games/people.html", context)


@login_required
@require_POST
def follow(request: AuthenticatedRequest, pk: int) -> HttpResponse:
    """Follow a player, or stop following them if `do` is "end"."""
    person = get_object_or_404(User, pk=pk)
    now = server_now()
    if request.POST.get("do") == "end":
        follows.unfollow_player(by=request.user, of=person, now=now)
        said = _("You no longer follow %(name)s.")
    else:
        follows.follow_player(by=request.user, of=person, now=now)
        said = _("You follow %(name)s. Nobody else sees this.")
    messages.success(request, said % {"name": person})
    return redirect("people" if request.POST.get("from") == "people" else person)
