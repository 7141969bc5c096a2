"""Write the letters to the players of tournaments; they are then sent like any other mail.

What was told is noted in the transaction that writes the notices.
"""

from collections.abc import Iterable
from datetime import datetime

from django.db import transaction

from accounts.models import User
from games import wakeups
from games.models import Entrant, Round, Tournament
from games.services.batches import BATCH, process_rows
from notifications.kinds.tournament.kind import KIND, Tells, TournamentContent
from notifications.models import Notice
from notifications.services.addresses import gets_mail


def tell_tournaments(*, now: datetime) -> int:
    """Write what is to be told of rounds, ends and removals; return how many were taken up."""
    rounds = Round.objects.filter(told_at=None).order_by("pk").values_list("pk", flat=True)
    done = process_rows(rounds[:BATCH], lambda key: tell_round(key, now=now))
    over = Tournament.objects.filter(ended_at__isnull=False, end_told_at=None)
    keys = over.order_by("pk").values_list("pk", flat=True)[:BATCH]
    done += process_rows(keys, lambda key: tell_end(key, now=now))
    removed = Entrant.objects.filter(left_because="removed", removal_told_at=None)
    gone = removed.order_by("pk").values_list("pk", flat=True)[:BATCH]
    return done + process_rows(gone, lambda key: tell_expulsion(key, now=now))


@transaction.atomic
def tell_round(round_id: int, *, now: datetime) -> bool:
    """Tell who plays in a round that it has begun, once all of its first games have."""
    free = Round.objects.select_for_update(of=("self",), skip_locked=True)
    told = free.filter(pk=round_id, told_at=None).first()
    if told is None:
        return False
    games = told.games.exclude(second=None)
    if games.filter(game=None, annulled_at=None).exists():
        return False
    told.told_at = now
    told.save(update_fields=["told_at"])
    playing = told.tournament.entrants.filter(left_at=None)
    in_it = playing.filter(games_as_first__round=told) | playing.filter(games_as_second__round=told)
    readers = [one.user for one in in_it.distinct().select_related("user").order_by("pk")]
    _write_letters(told.tournament_id, readers, Tells.ROUND, told.number, now)
    return True


@transaction.atomic
def tell_end(tournament_id: int, *, now: datetime) -> bool:
    """Tell who has played, or who had joined, and the opener, that a tournament is over."""
    free = Tournament.objects.select_for_update(of=("self",), skip_locked=True)
    told = free.filter(pk=tournament_id, end_told_at=None).first()
    if told is None:
        return False
    told.end_told_at = now
    told.save(update_fields=["end_told_at"])
    entrants = told.entrants.select_related("user").exclude(left_because=Entrant.Left.REMOVED)
    entrants = entrants.order_by("pk")
    if told.started_at and told.is_cancelled:
        players = {one.user_id: one.user for one in entrants.filter(left_at=None)}
        players[told.opened_by_id] = told.opened_by
        _write_letters(told.pk, players.values(), Tells.CANCELLED, 0, now)
        return True
    if told.started_at:
        readers = [one.user for one in entrants.filter(left_at=None)]
        _write_letters(told.pk, readers, Tells.END, 0, now)
        return True
    joined = {one.user_id: one.user for one in entrants}
    if told.is_cancelled and not told.cancelled_because:
        joined.pop(told.opened_by_id, None)
    else:
        joined[told.opened_by_id] = told.opened_by
    _write_letters(told.pk, joined.values(), Tells.NOT_PLAYED, 0, now)
    return True


@transaction.atomic
def tell_expulsion(entrant_id: int, *, now: datetime) -> bool:
    """Tell a player that a moderator removed them from a tournament, and why."""
    if not Entrant.objects.filter(pk=entrant_id, removal_told_at=None).update(removal_told_at=now):
        return False
    entrant = Entrant.objects.select_related("user").get(pk=entrant_id)
    _write_letters(entrant.tournament_id, [entrant.user], Tells.REMOVED, 0, now)
    return True


def _write_letters(
    tournament_id: int, readers: Iterable[User], tells: Tells, number: int, now: datetime
) -> None:
    for reader in readers:
        if gets_mail(reader):
            content: TournamentContent = {
                "tournament": tournament_id,
                "tells": tells.value,
                "round": number,
            }
            notice = Notice.new(
                KIND.kind, user=reader, language=reader.language, content=content, now=now
            )
            notice.save(force_insert=True)
    wakeups.notify_workers("notices")
