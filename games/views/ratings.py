"""The rating list of a game, and the history of a player's rating."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from accounts.server_time import server_now
from games import errors
from games.models.game import name_of_game
from games.queries import ratings
from games.queries.profiles import profile_of
from games.rules.registry import UnknownGame, all_rules
from games.views.page import parse_int_or_none


@require_safe
def rating_list(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the players of a game by strength: `table` is the kind of table, `of` people or not."""
    kinds = _kinds(slug)
    kind = request.GET.get("table", "")
    kind = kind if kind in kinds else kinds[0]
    of_program = request.GET.get("of") == "programs"
    after = parse_int_or_none(request.GET.get("after", "")) or 0
    found = ratings.rating_list(
        slug, kind, request.user, of_program=of_program, after=after, now=server_now()
    )
    context = {
        "slug": slug,
        "name": name_of_game(slug),
        "all_rules": all_rules(),
        "kind": kind,
        "kinds": [(one, ratings.kind_words(one)) for one in kinds],
        "of_program": of_program,
        "after": after,
        "rows": [
            {
                "one": one,
                "level": ratings.rated_level_words(one),
                "words": ratings.rating_words(one),
            }
            for one in found.rows
        ],
        "following": found.following,
    }
    return render(request, "games/rating_list.html", context)


@require_safe
def rating_history(request: HttpRequest, username: str, slug: str) -> HttpResponse:
    """Show how a player's rating has changed: `table` is the kind of table, `level` a program's."""
    kinds = _kinds(slug)
    found = profile_of(username, request.user, now=server_now())
    if found is None or not found.shows_ratings:
        raise Http404
    kind = request.GET.get("table", "")
    kind = kind if kind in kinds else kinds[0]
    level = parse_int_or_none(request.GET.get("level", ""), longest=4) or 0
    changes = ratings.changes_of(found.person, slug, kind, level)
    context = {
        "person": found.person,
        "slug": slug,
        "name": name_of_game(slug),
        "kind": kind,
        "kind_words": ratings.kind_words(kind),
        "changes": changes,
        "newest": ratings.rating_words(changes[0]) if changes else "",
        "chart": ratings.chart_of(changes),
    }
    return render(request, "games/rating_history.html", context)


def _kinds(slug: str) -> list[str]:
    try:
        return list(ratings.table_kinds(slug))
    except UnknownGame:
        raise errors.UnknownRules from None
