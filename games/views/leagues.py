"""Leagues, their seasons with all tables, and what players and moderators do there."""

from collections.abc import Callable

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST, require_safe

from accounts.server_time import server_now
from accounts.users import AuthenticatedRequest
from games import league_errors
from games.clock.durations import pace_in_words
from games.competition.calendar import LAST_DAYS
from games.models import Season, SeasonEntry, TeamInvitation
from games.models.league import DIVISIONS_ON_A_PAGE
from games.moderation.competition import annul_game, remove_from_season
from games.moderation.permissions import is_moderator
from games.queries.certificates import certificates_in
from games.queries.leagues import (
    blocked_in_season,
    division_tables,
    league_cards,
    own_entries,
    season_for,
    seasons_before,
    team_invitations,
)
from games.queries.people import player_named
from games.services.leagues import entries, teams
from games.views.page import parse_int_or_none

ACTIONS: dict[str, tuple[Callable[..., SeasonEntry], object]] = {
    "join": (entries.join_season, gettext_lazy("You play in the next season.")),
    "skip": (entries.skip_season, gettext_lazy("You skip the next season and keep your place.")),
    "decline": (entries.decline_season, gettext_lazy("You do not play in the next season.")),
    "leave": (entries.leave_season, gettext_lazy("You have left the season.")),
    "alone": (teams.play_without_partner, gettext_lazy("You have no partner for the next season.")),
}
"""What a player can do at a league: the service, and what the page says afterwards."""


@require_safe
def leagues(request: HttpRequest) -> HttpResponse:
    """List all leagues."""
    cards = league_cards()
    seasons = [season for card in cards for season in (card.running, card.coming)]
    own = own_entries(request.user, seasons)
    rows = [
        (card, *(own.get(one.pk) if one else None for one in (card.running, card.coming)))
        for card in cards
    ]
    return render(request, "games/leagues.html", {"rows": rows})


@require_safe
def league(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a league: its terms, what the viewer can do, the rules of its tables, its seasons.

    With `?before=` a number the earlier seasons are those before it, else the newest.
    """
    card = next(iter(league_cards(slug)), None)
    if card is None:
        raise Http404
    theirs = own_entries(request.user, [card.running, card.coming])
    own = theirs.get(card.running.pk) if card.running else None
    coming = theirs.get(card.coming.pk) if card.coming else None
    now = server_now()
    skipped = own is not None and own.state == SeasonEntry.State.SKIPS
    plays = own is not None and own.division_id is not None and own.left_at is None
    asked = list(coming.invitations.select_related("user")) if coming is not None else []
    before = parse_int_or_none(request.GET.get("before", ""))
    over = card.over if before is None else seasons_before(card.league, before)
    has_place = plays or (coming is not None and coming.level is not None)
    context = {
        "card": card,
        "league": card.league,
        "pace": pace_in_words(card.league.terms.pace),
        "own": own,
        "coming": coming,
        "over": over,
        "plays": plays,
        "can_join": card.coming is not None and now < card.coming.starts_at,
        "can_skip": has_place and not skipped,
        "asks": request.GET.get("act") == "leave" and plays,
        "blocked": blocked_in_season(request.user, card.coming),
        "reminded": LAST_DAYS.days,
        "asked_by": team_invitations(request.user, [card.coming]),
        "asked": asked,
        "is_asking": any(one.state == TeamInvitation.State.OPEN for one in asked),
    }
    return render(request, "games/league.html", context)


@login_required
@require_POST
def act_in_league(request: AuthenticatedRequest, slug: str) -> HttpResponse:
    """Join, skip or decline the next season, or leave the one that runs, as `act` says.

    In a league of teams also: ask a `partner`, or answer an `invitation`.
    """
    act, user, now = request.POST.get("act", ""), request.user, server_now()
    service, said = ACTIONS.get(act, (None, ""))
    if service is not None:
        service(rules_slug=slug, user=user, now=now)
    elif act == "invite":
        partner = player_named(request.POST.get("partner", ""))
        invitation = teams.invite_partner(rules_slug=slug, user=user, partner=partner, now=now)
        said = _("You have asked %(name)s to play with you.") % {"name": partner}
        if invitation.state == TeamInvitation.State.ACCEPTED:
            said = _("You play the next season with %(name)s.") % {"name": partner}
    elif act in ("accept", "refuse"):
        key = parse_int_or_none(request.POST.get("invitation", "")) or 0
        answer = teams.accept_partner if act == "accept" else teams.refuse_partner
        name = answer(invitation_id=key, user=user, now=now).entry.user
        said = _("You do not play with %(name)s.") % {"name": name}
        if act == "accept":
            said = _("You play the next season with %(name)s.") % {"name": name}
    else:
        raise Http404
    messages.success(request, str(said))
    return redirect("league", slug)


@require_safe
def season(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show a season with a page of the tables of its divisions, each game a click away."""
    found = season_for(request.user, slug, number)
    if found is None:
        raise Http404
    pages = max(1, -(-(found.lowest or 0) // DIVISIONS_ON_A_PAGE))
    page = min(max(1, parse_int_or_none(request.GET.get("page", "")) or 1), pages)
    first = (page - 1) * DIVISIONS_ON_A_PAGE + 1
    shown = range(first, first + DIVISIONS_ON_A_PAGE)
    numbers = {*shown, found.own_division or 0}
    tables = division_tables(found, numbers=numbers) if found.started_at else []
    certificates = {} if found.ended_at is None else certificates_in(found, tables)
    own_certificate = next(
        (
            certificates[row.entry.pk]
            for table in tables
            for row in table.rows
            for one in row.entry.members
            if one.user_id == request.user.pk and not one.left_at and row.entry.pk in certificates
        ),
        None,
    )
    context = {
        "own_certificate": own_certificate,
        "season": found,
        "page": page,
        "pages": pages,
        "own_page": -(-(found.own_division or 0) // DIVISIONS_ON_A_PAGE),
        "league": found.league,
        "tables": [
            (
                table,
                [
                    (row, certificates[row.entry.pk])
                    for row in table.rows
                    if row.entry.pk in certificates
                ],
            )
            for table in tables
            if table.division.number in shown
        ],
        "is_over": found.ended_at is not None,
        "may_moderate": request.user.is_authenticated and is_moderator(request.user),
    }
    return render(request, "games/season.html", context)


@login_required
@require_POST
def moderate_season(request: AuthenticatedRequest, slug: str, number: int) -> HttpResponse:
    """Remove a player from a season (`entry`), or annul one of its games (`game`)."""
    found = get_object_or_404(Season, league__rules_slug=slug, number=number)
    by, why, now = request.user, request.POST.get("why", ""), server_now()
    entry = parse_int_or_none(request.POST.get("entry", ""))
    game = parse_int_or_none(request.POST.get("game", ""))
    if game is not None:
        annul_game(game_id=game, by=by, why=why, now=now)
        messages.success(request, _("The game is annulled."))
    elif entry is not None:
        remove_from_season(entry_id=entry, by=by, why=why, now=now)
        messages.success(request, _("The player is removed from the season."))
    else:
        raise league_errors.NoSuchEntry
    return redirect("season", slug, found.number)
