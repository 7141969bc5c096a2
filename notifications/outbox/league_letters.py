"""Write the letters to the players of a league; they are then sent like any other mail.

Which letter a season has had is noted in the transaction that writes its notices.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet

from accounts.models import User
from games import wakeups
from games.competition.calendar import LAST_DAYS
from games.models import Game, LeagueGame, Season, SeasonEntry, TeamInvitation
from games.services.batches import BATCH, process_rows
from notifications.kinds.league.kind import KIND, LEFT, REMOVED, LeagueContent
from notifications.kinds.league.team_letters import ASKED
from notifications.models import Notice
from notifications.services.addresses import with_address

Told, Left = Season.Told, SeasonEntry.Left


def tell_leagues(*, now: datetime) -> int:
    """Write what is to be told of seasons and of who left; return how many were taken up."""
    seasons = Season.objects.filter(started_at__isnull=False).exclude(told=Told.END)
    is_due = Q(told="") | Q(ended_at__isnull=False)
    is_due |= Q(told=Told.START, final_at__lte=now + LAST_DAYS)
    due = seasons.filter(is_due).order_by("pk").values_list("pk", flat=True)
    done = process_rows(due, lambda key: tell_season(key, now=now))
    # Two queries, each by its index: who was removed is told also when the season is over.
    untold = SeasonEntry.objects.filter(removal_told_at=None).order_by("pk")
    removed = untold.filter(left_because=Left.REMOVED)
    left = untold.filter(left_at__isnull=False, season__ended_at=None)
    keys = {key for found in (removed, left) for key in found.values_list("pk", flat=True)[:BATCH]}
    done += process_rows(sorted(keys), lambda key: tell_leaving(key, now=now))
    waiting = SeasonEntry.objects.exclude(untold="").order_by("pk")
    done += process_rows(_keys(waiting), lambda key: tell_of_team(key, now=now))
    asked = TeamInvitation.objects.filter(told_at=None, state=TeamInvitation.State.OPEN)
    return done + process_rows(_keys(asked.order_by("pk")), lambda key: tell_asked(key, now=now))


def _keys(rows: QuerySet[Any]) -> list[int]:
    return list(rows.values_list("pk", flat=True)[:BATCH])


@transaction.atomic
def tell_season(season_id: int, *, now: datetime) -> bool:
    """Write the next letter of a season to those who play in it; the end follows any other.

    Only players with running games are told that the final day is near. The first letter waits
    until all games have begun.
    """
    free = Season.objects.select_for_update(of=("self",), skip_locked=True)
    season = free.filter(pk=season_id).exclude(told=Told.END).first()
    if season is None:
        return False
    entries = season.entries.filter(division__isnull=False, left_at=None)
    games = LeagueGame.objects.filter(division__season=season)
    if season.ended_at is not None:
        told = Told.END
    elif not season.told:
        if games.filter(game=None, annulled_at=None).exists():
            return False
        told = Told.START
    elif season.told == Told.START and season.final_at - LAST_DAYS <= now:
        told = Told.SOON
        running = games.filter(game__status=Game.Status.ACTIVE)
        plays = {key for pair in running.values_list("first", "second") for key in pair}
        entries = entries.filter(Q(pk__in=plays) | Q(partner_of__in=plays))
    else:
        return False
    season.told = told
    season.save(update_fields=["told"])
    _write_letters(list(entries.select_related("user").order_by("pk")), told, now)
    return True


@transaction.atomic
def tell_leaving(entry_id: int, *, now: datetime) -> bool:
    """Tell the others of a division that somebody has left the season, and who was removed why."""
    untold = SeasonEntry.objects.filter(pk=entry_id, removal_told_at=None)
    if not untold.update(removal_told_at=now):
        return False
    entry = SeasonEntry.objects.select_related("user", "season").get(pk=entry_id)
    if entry.left_because == Left.REMOVED:
        _write_letters([entry], REMOVED, now)
    if entry.season.ended_at is None:
        others = SeasonEntry.objects.filter(division=entry.division_id, left_at=None)
        _write_letters(list(others.select_related("user").order_by("pk")), LEFT, now, who=entry.pk)
    return True


@transaction.atomic
def tell_of_team(entry_id: int, *, now: datetime) -> bool:
    """Tell a player what is new about their team."""
    free = SeasonEntry.objects.select_for_update(of=("self",), skip_locked=True)
    entry = free.select_related("user").filter(pk=entry_id).exclude(untold="").first()
    if entry is None:
        return False
    _write_letters([entry], entry.untold, now)
    SeasonEntry.objects.filter(pk=entry.pk).update(untold="")
    return True


@transaction.atomic
def tell_asked(key: int, *, now: datetime) -> bool:
    """Tell a player that somebody asks them to be a partner."""
    if not TeamInvitation.objects.filter(pk=key, told_at=None).update(told_at=now):
        return False
    invitation = TeamInvitation.objects.select_related("entry", "user").get(pk=key)
    content: LeagueContent = {"entry": invitation.entry_id, "tells": ASKED, "who": 0, "asked": key}
    _write_notices([(invitation.user, content)], now)
    return True


def _write_letters(
    entries: Sequence[SeasonEntry], tells: str, now: datetime, *, who: int = 0
) -> None:
    """Write a letter about their entry to each of these players."""
    _write_notices(
        [(one.user, {"entry": one.pk, "tells": tells, "who": who}) for one in entries], now
    )


def _write_notices(letters: Sequence[tuple[User, LeagueContent]], now: datetime) -> None:
    """Write letters to those of the readers who get mail; a season may have thousands."""
    able = with_address(reader for reader, _ in letters)
    notices = [
        Notice.new(KIND.kind, user=reader, language=reader.language, content=content, now=now)
        for reader, content in letters
        if reader.pk in able
    ]
    if notices:
        Notice.objects.bulk_create(notices, batch_size=BATCH)
        wakeups.notify_workers("notices")
