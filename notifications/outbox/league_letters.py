"""Write the letters to the players of a league; they are then sent like any other mail.

Which letter a season has had is noted in the transaction that writes its notices.
"""

from datetime import datetime

from django.db import transaction
from django.db.models import Q

from games import wakeups
from games.competition.calendar import LAST_DAYS
from games.models import Game, LeagueGame, Season, SeasonEntry
from games.services.batches import BATCH, process_rows
from notifications.kinds.league.kind import KIND, REMOVED, LeagueContent
from notifications.models import Notice
from notifications.services.addresses import gets_mail

Told = Season.Told


def tell_leagues(*, now: datetime) -> int:
    """Write what is to be told of seasons and removals; return how many of them were taken up."""
    seasons = Season.objects.filter(started_at__isnull=False).exclude(told=Told.END)
    is_due = Q(told="") | Q(ended_at__isnull=False)
    is_due |= Q(told=Told.START, final_at__lte=now + LAST_DAYS)
    due = seasons.filter(is_due).order_by("pk").values_list("pk", flat=True)
    done = process_rows(due, lambda key: tell_season(key, now=now))
    removed = SeasonEntry.objects.filter(left_because="removed", removal_told_at=None)
    keys = removed.order_by("pk").values_list("pk", flat=True)[:BATCH]
    return done + process_rows(keys, lambda key: tell_removal(key, now=now))


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
    for entry in entries.select_related("user").order_by("pk"):
        _write_letter(entry, told, now)
    return True


@transaction.atomic
def tell_removal(entry_id: int, *, now: datetime) -> bool:
    """Tell a player that a moderator removed them from a season, and why."""
    if not SeasonEntry.objects.filter(pk=entry_id, removal_told_at=None).update(
        removal_told_at=now
    ):
        return False
    _write_letter(SeasonEntry.objects.select_related("user").get(pk=entry_id), REMOVED, now)
    return True


def _write_letter(entry: SeasonEntry, tells: str, now: datetime) -> None:
    reader = entry.user
    if not gets_mail(reader):
        return
    content: LeagueContent = {"entry": entry.pk, "tells": tells}
    Notice.new(KIND.kind, user=reader, language=reader.language, content=content, now=now).save(
        force_insert=True
    )
    wakeups.notify_workers("notices")
