"""Read what many mails need in common; claim the notices of each mail just before it is sent."""

from collections.abc import Iterable, Sequence
from contextlib import nullcontext
from datetime import datetime

from django.conf import settings
from django.db import transaction
from django.db.models import prefetch_related_objects

from accounts.models import User
from games.models import Game
from notifications.kinds.base import all_kinds
from notifications.models import Notice
from notifications.outbox.rows import claim_rows
from notifications.services.shared_reads import SharedReads, read_games, read_readers

Group = Sequence[Notice]
"""Notices that are told in one mail; the first of them leads."""

State = Notice.State
Pair = tuple[int | None, int | None]


def claim_notices(pk: int, now: datetime) -> Group:
    """Claim a notice and everything that is told with it, the one that leads first.

    Returns nothing if another worker was faster.
    """
    group = next(iter(read_groups([pk], now)), ())
    return group if claim_group(group, now) else ()


def read_groups(keys: Sequence[int], now: datetime) -> list[Group]:
    """Read notices, each with everything that is told with it; return a group for each mail.

    These are the other news of the same game for the same reader, also while they are still held;
    but a notice that failed by an error of our own goes alone, so that it delays nothing else.
    Those that another worker has claimed are left out.
    """
    # Not `kind_of`: a kind that only a newer release knows must not end the call.
    ranks = {kind.kind.value: kind.lead_rank for kind in all_kinds() if kind.lead_rank is not None}
    soon = Notice.objects.due(now + settings.MAIL_HOLD) | Notice.objects.abandoned(now)
    pairs = {
        (one.user_id, one.game_id)
        for one in Notice.objects.filter(pk__in=keys)
        if is_told_with_others(one, ranks)
    }
    users, games = {user for user, _ in pairs}, {game for _, game in pairs}
    news = soon.filter(user__in=users, game__in=games, kind__in=list(ranks), failing_since=None)
    told = [
        pk for pk, *pair in news.values_list("pk", "user_id", "game_id") if tuple(pair) in pairs
    ]
    loaded = soon.select_related("user", "game__creator", "event__actor", "event__invitation__by")
    found = {one.pk: one for one in loaded.filter(pk__in={*keys, *told}).order_by("pk")}
    # Of one kind the newest leads.
    return [
        sorted(
            (found[pk] for pk in group),
            key=lambda notice: (ranks.get(notice.kind, 0), -notice.pk),
        )
        for group in grouped(keys, found, ranks, now)
    ]


def claim_group(group: Group, now: datetime) -> bool:
    """Claim the notices of a mail; return False, with nothing changed, if one is not ours to send.

    Another worker may have claimed it, or put it off, since it was read. Locked rows are not waited
    for.
    """
    if not group:
        return False
    # One statement needs no transaction of its own.
    with transaction.atomic() if len(group) > 1 else nullcontext():
        claimed = claim_rows(group, now)
        if 0 < claimed < len(group):
            transaction.set_rollback(True)
    ours = claimed == len(group)
    if ours:
        for one in group:
            one.state, one.claimed_at = State.CLAIMED, now
    return ours


def is_told_with_others(notice: Notice, ranks: dict[str, int]) -> bool:
    """Return whether one mail tells a notice with the other news of its game and reader."""
    is_of_game = notice.user_id is not None and notice.game_id is not None
    return is_of_game and notice.kind in ranks and notice.failing_since is None


def grouped(
    keys: Sequence[int], found: dict[int, Notice], ranks: dict[str, int], now: datetime
) -> list[list[int]]:
    """Return the keys of the notices of each mail: one that is due now, and what it also tells."""
    by_pair: dict[Pair, list[int]] = {}
    for one in found.values():
        if is_told_with_others(one, ranks):
            by_pair.setdefault((one.user_id, one.game_id), []).append(one.pk)
    groups, taken = [], set[int]()
    for key in keys:
        seed = found.get(key)
        if seed is None or key in taken:
            continue
        if seed.state == State.WAITING and seed.due_at > now:
            continue  # another process has put it off
        group = [key]
        if is_told_with_others(seed, ranks):
            group = by_pair[seed.user_id, seed.game_id]
        groups.append(group)
        taken.update(group)
    return groups


def read_together(groups: Iterable[Group], now: datetime) -> SharedReads:
    """Read what the mails of these notices need; the number of queries does not depend on theirs.

    The seats of the notices' games are loaded, with their players.
    """
    notices = [notice for group in groups for notice in group]
    games: list[Game] = [notice.game for notice in notices if notice.game is not None]
    people: list[User] = [notice.user for notice in notices if notice.user is not None]
    prefetch_related_objects(games, "seats__user", "seats__played_by_partner")
    reads = read_readers(people)
    read_games(reads, games, now=now)
    return reads
