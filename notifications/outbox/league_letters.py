"""Write the letters to the players of a league; they are then sent like any other mail.

Which letter a season has had is noted in the transaction that writes its notices.
"""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import Q

from games import wakeups
from games.competition.calendar import LAST_DAYS
from games.models import Game, LeagueGame, Season, SeasonEntry
from games.services.batches import BATCH, process_rows
from notifications.kinds.league.kind import KIND, LEFT, REMOVED, LeagueContent
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
    return done + process_rows(sorted(keys), lambda key: tell_leaving(key, now=now))


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
        plays = Q(pk__in=running.values("first")) | Q(pk__in=running.values("second"))
        entries = entries.filter(plays)
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


def _write_letters(
    entries: Sequence[SeasonEntry], tells: str, now: datetime, *, who: int = 0
) -> None:
    """Write a letter to each of these players who gets mail; a season may have thousands."""
    able = with_address(entry.user for entry in entries)
    letters = []
    for entry in entries:
        if entry.user_id in able:
            content: LeagueContent = {"entry": entry.pk, "tells": tells, "who": who}
            language = entry.user.language
            letters.append(
                Notice.new(KIND.kind, user=entry.user, language=language, content=content, now=now)
            )
    if letters:
        Notice.objects.bulk_create(letters, batch_size=BATCH)
        wakeups.notify_workers("notices")
