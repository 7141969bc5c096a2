"""The newest turns of a public game, and of a player's games, as Atom feeds (RFC 4287)."""

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.cache import get_conditional_response
from django.utils.feedgenerator import Atom1Feed
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from accounts.server_time import server_now
from games import errors
from games.models import Game
from games.queries.profiles import profile_of
from games.queries.seats import game_for, player_at
from games.record_text import entries_of
from games.templatetags.boards import ending_words, points_words, result_words
from games.views.page import verdict_of

NEWEST = 30
"""Turns in a feed."""


@require_safe
@vary_on_headers("Accept-Language", "Cookie")
def game_feed(request: HttpRequest, pk: int) -> HttpResponse:
    """Answer the newest turns of a public game, newest first; 304 if the reader has them.

    Programs that read feeds do not sign in. A turn or an end that can still be undone is left out.
    """
    game = game_for(pk, AnonymousUser())
    if game.started_at is None:
        raise errors.NoSuchGame
    can_undo = game.undo_until is not None and server_now() < game.undo_until
    shows_end = game.is_over and not can_undo
    newest = game.turn_number if game.is_over else game.turn_number - can_undo
    if can_undo and game.before_turn is not None and game.undoes_departure:
        newest = game.before_turn["number"]
    etag = f'"{newest}-{"over" if shows_end else "runs"}-{get_language()}"'
    answer = get_conditional_response(request, etag=etag)
    if answer is None:
        text = _feed(game, newest, shows_end=shows_end).writeString("utf-8")
        answer = HttpResponse(text, content_type="application/atom+xml; charset=utf-8")
    answer["ETag"] = etag
    answer["Cache-Control"] = "max-age=60"
    return answer


@require_safe
@vary_on_headers("Accept-Language", "Cookie")
def player_feed(request: HttpRequest, username: str) -> HttpResponse:
    """Answer a player's newest public games, with an entry for each new turn.

    Raises Http404 if strangers may not see their games. A game whose newest turn or end can
    still be undone is left out.
    """
    now = server_now()
    found = profile_of(username, AnonymousUser(), now=now)
    if found is None or not found.has_feed:
        raise Http404
    page = settings.SITE_URL + found.person.get_absolute_url()
    feed = Atom1Feed(
        title=_("Games of %(name)s") % {"name": found.person},
        link=page,
        description="",
        language=get_language(),
        feed_url=settings.SITE_URL + reverse("player_feed", args=[found.person.username]),
        feed_guid=page,
    )
    for game in found.games:
        happened = game.ended_at or game.turn_began_at or game.started_at
        if happened is None or (game.undo_until is not None and now < game.undo_until):
            continue
        address = settings.SITE_URL + game.get_absolute_url()
        mover = player_at(game, game.seat_to_move) if game.seat_to_move is not None else None
        played = _("Turn %(number)s") % {"number": game.turn_number}
        feed.add_item(
            title=f"{game.name} #{game.pk}: {_names(game)}",
            link=address,
            description=f"{played}. {verdict_of(game, AnonymousUser(), mover, None)}",
            unique_id=f"{address}#{game.turn_number}-{game.status}",
            updateddate=happened,
            pubdate=happened,
        )
    text = feed.writeString("utf-8")
    headers = {"Cache-Control": "max-age=60"}
    return HttpResponse(text, content_type="application/atom+xml; charset=utf-8", headers=headers)


def _names(game: Game) -> str:
    return " – ".join(str(seat.user) for seat in game.all_seats if seat.user is not None)


def _feed(game: Game, newest: int, *, shows_end: bool) -> Atom1Feed:
    """Return a game's feed up to turn `newest`, and its end if `shows_end`, in one language."""
    site = settings.SITE_URL
    page = site + game.get_absolute_url()
    feed = Atom1Feed(
        title=f"{game.name} #{game.pk}: {_names(game)}",
        link=page,
        description="",
        language=get_language(),
        feed_url=site + reverse("game_feed", args=[game.pk]),
        feed_guid=page,
    )
    if shows_end and game.ended_at is not None:
        reasons = [ending_words(game), points_words(game)]
        feed.add_item(
            title=result_words(game, AnonymousUser()),
            link=page,
            description=" ".join(filter(None, reasons)),
            unique_id=f"{page}#end",
            updateddate=game.ended_at,
            pubdate=game.ended_at,
        )
    for entry in reversed(entries_of(game)[:newest][-NEWEST:]):
        words = _("%(player)s %(words)s") % {"player": entry.player, "words": entry.words}
        link = site + reverse("game_turn", args=[game.pk, entry.number])
        feed.add_item(
            title=f"{entry.number}. {entry.notation}",
            link=link,
            description=f"{words}.",
            unique_id=link,
            author_name=entry.player,
            updateddate=entry.played_at,
            pubdate=entry.played_at,
        )
    return feed
