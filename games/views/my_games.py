"""Home: a player's own games, with filters; the finished ones; and snoozed turns."""

from functools import partial
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from accounts.models.vacation import away_until
from accounts.server_time import server_now
from accounts.users import AuthenticatedRequest
from games import errors
from games.clock.snoozes import Snooze, snooze_words
from games.models.game import name_of_game
from games.queries import lists
from games.queries.finished_games import GameResult, Search, finished_games
from games.queries.game_filter import GameFilter, Only, Order, filter_page
from games.queries.game_rows import game_rows, row_reader
from games.queries.home import home_page
from games.queries.shown_game import shown_turns
from games.rules.registry import all_rules, app_with_example
from games.services.snoozes import end_snooze, snooze_turn
from games.views.page import parse_int_or_none, visible_game
from games.views.puzzles import puzzle_card

FILTER = f"{settings.COOKIE_PREFIX}list"
"""The cookie with the filter and the order of the last visit. A cookie costs no query."""

FOLDED = "pli-folded"
"""The cookie with the groups that are folded; static/js/my_games.mjs writes it."""

A_YEAR = 365 * 24 * 60 * 60

FEW = 5
"""So many games need no filters."""

ONLY_WORDS = {
    Only.AWAITING: gettext_lazy("my turn"),
    Only.URGENT: gettext_lazy("my turn, less than a day left"),
    Only.NEWS: gettext_lazy("new messages or offers"),
}
ORDER_WORDS = {
    Order.DEADLINE: gettext_lazy("deadline"),
    Order.GAME: gettext_lazy("game"),
    Order.OPPONENT: gettext_lazy("opponent"),
}
RESULT_WORDS = {
    GameResult.WON: gettext_lazy("won"),
    GameResult.LOST: gettext_lazy("lost"),
    GameResult.DRAWN: gettext_lazy("drawn"),
    GameResult.ABORTED: gettext_lazy("without a result"),
}


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Show a user's games; to a stranger, what this site is."""
    if isinstance(request.user, User):
        return _my_games(request, request.user)
    # Both lists are read only when the template's cache has forgotten them.
    example = app_with_example()
    context = {
        "all_rules": all_rules(),
        "turns": shown_turns(),
        "first_game": example.rules if example else all_rules()[0],
        "puzzle_card": puzzle_card,
        "watched": lists.games_to_watch()[:6],
        "tables": lists.lobby(request.user)[:5],
    }
    return render(request, "games/welcome.html", context)


def _my_games(request: HttpRequest, user: User) -> HttpResponse:
    """Show the games that the address asks for, else those that it did at the last visit."""
    is_asked = any(key in request.GET for key in GameFilter.__dataclass_fields__)
    remembered = QueryDict(request.COOKIES.get(FILTER, ""))
    chosen = GameFilter.from_params(request.GET if is_asked else remembered)
    whole, now = home_page(user), server_now()
    listed = filter_page(whole, chosen, user.pk, now=now)
    page = listed.page
    running = [*page.awaiting, *page.waiting]
    away = away_until((seat.user for game in running for seat in game.seats), now)
    rows = partial(game_rows, reader=row_reader(user.pk), away=away, now=now)
    every = [*whole.awaiting, *whole.waiting, *whole.tables, *whole.finished]
    shown = [*running, *page.tables, *page.finished]
    later = sum(game.snoozed_until(now) is not None for game in page.awaiting)
    context = {
        "challenges": page.challenges,
        "awaiting": rows(page.awaiting, is_mine=True),
        "awaiting_count": sum(game.snoozed_until(now) is None for game in whole.awaiting),
        "awaiting_now": len(page.awaiting) - later,
        "later": later,
        "waiting": rows(page.waiting),
        "tables": rows(page.tables),
        "finished": rows(page.finished),
        "left_out": listed.left_out,
        "filter": chosen,
        "has_filter": chosen.narrows or len(every) > FEW,
        "games": _kinds_of_games({game.rules_slug for game in every} | {chosen.game}),
        "only_words": ONLY_WORDS,
        "order_words": ORDER_WORDS,
        "shown_count": len(shown),
        "count": len(every),
        "folded": request.COOKIES.get(FOLDED, "").split("."),
        # Shown to a player without any game.
        "all_rules": all_rules(),
        "open_tables": [] if every else lists.lobby(user)[:5],
    }
    response = render(request, "games/home.html", context)
    if is_asked:
        response.set_cookie(
            FILTER,
            urlencode(chosen.remembered()),
            max_age=A_YEAR,
            secure=settings.SESSION_COOKIE_SECURE,
            httponly=True,
            samesite="Lax",
        )
    return response


def _kinds_of_games(slugs: set[str]) -> list[tuple[str, str]]:
    """Return these games with their names, by name."""
    return sorted(((slug, name_of_game(slug)) for slug in slugs if slug), key=lambda one: one[1])


@login_required
@require_safe
def finished(request: AuthenticatedRequest) -> HttpResponse:
    """Search the user's finished games."""
    search = Search.from_params(request.GET)
    before = parse_int_or_none(request.GET.get("before", ""))
    found = finished_games(request.user, search, before=before)
    asked = {"game": search.game, "name": search.name, "result": search.result}
    asked["with"] = search.player
    kept = {key: value for key, value in (asked | {"year": search.year or ""}).items() if value}
    context: dict[str, Any] = {
        "search": search,
        "rows": game_rows(found.games, row_reader(request.user.pk), away={}, now=server_now()),
        "games": [(rules.slug, name_of_game(rules.slug)) for rules in all_rules()],
        "result_words": RESULT_WORDS,
        "years": [(year, str(year)) for year in found.years],
        "is_narrow": bool(kept),
        "newest": f"?{urlencode(kept)}" if before is not None else "",
        "older": f"?{urlencode(kept | {'before': found.older})}" if found.older else "",
    }
    return render(request, "games/finished_games.html", context)


@login_required
@require_POST
def snooze(request: AuthenticatedRequest, pk: int) -> HttpResponse:
    """Snooze the user's turn, and lead on to the next game."""
    game = visible_game(request, pk)
    choice = request.POST.get("until", "")
    if choice not in list(Snooze):
        raise errors.BadSnooze
    now = server_now()
    until = snooze_turn(game_id=pk, user=request.user, choice=Snooze(choice), now=now)
    said = _("Snoozed until %(when)s: %(game)s")
    messages.success(request, said % {"when": snooze_words(until, now), "game": game})
    return redirect(f"{reverse('next_game')}?after={pk}")


@login_required
@require_POST
def wake(request: AuthenticatedRequest, pk: int) -> HttpResponse:
    """End the snooze of the user's turn; `from` is the page to go back to."""
    game = visible_game(request, pk)
    end_snooze(game_id=pk, user=request.user, now=server_now())
    messages.success(request, _("This game waits for you again: %(game)s") % {"game": game})
    return redirect("home") if request.POST.get("from") == "home" else redirect(game)
