"""Write the letters to the players of a ladder; they are then sent like any other mail.

Which state of a challenge is told is noted in the transaction that writes its notices.
"""

from datetime import datetime

from django.db import transaction
from django.db.models import F

from accounts.models import User
from games import wakeups
from games.models import LadderChallenge, LadderPlace
from games.services.batches import BATCH, process_rows
from notifications.kinds.ladder.kind import KIND, LadderContent
from notifications.models import Notice
from notifications.services.addresses import gets_mail

State, Outcome = LadderChallenge.State, LadderChallenge.Outcome

_ONE_KNOWS = {Outcome.SPARED: "challenger", Outcome.DECLINED: "challenger"}
"""Who is told of an end that the other brought about; of others both are told."""


def tell_ladders(*, now: datetime) -> int:
    """Write what is to be told of challenges and places; return how many were taken up."""
    untold = LadderChallenge.objects.exclude(told=F("state")).order_by("pk")
    keys = untold.values_list("pk", flat=True)[:BATCH]
    done = process_rows(keys, lambda key: tell_challenge(key, now=now))
    left = LadderPlace.objects.filter(left_because__gt="asked", told_left_at=None).order_by("pk")
    places = left.values_list("pk", flat=True)[:BATCH]
    return done + process_rows(places, lambda key: tell_place(key, now=now))


@transaction.atomic
def tell_challenge(key: int, *, now: datetime) -> bool:
    """Tell the challenged of a challenge that waits, and both of its end.

    That it is accepted, the letter about the beginning of the game says.
    """
    free = LadderChallenge.objects.select_for_update(of=("self",), skip_locked=True)
    joined = free.select_related("challenger", "challenged").exclude(told=F("state"))
    challenge = joined.filter(pk=key).first()
    if challenge is None:
        return False
    readers = [challenge.challenged]
    if challenge.state == State.PLAYING:
        readers = []
    elif challenge.state == State.OVER:
        one = _ONE_KNOWS.get(Outcome(challenge.outcome))
        readers = [challenge.challenger] if one else [challenge.challenger, challenge.challenged]
        if challenge.outcome == Outcome.WITHDRAWN and not challenge.told:
            readers = []  # nobody was told of the challenge
    challenge.told = challenge.state
    challenge.save(update_fields=["told"])
    for reader in readers:
        _write_letter(reader, {"ladder_challenge": challenge.pk, "state": challenge.state}, now)
    return True


@transaction.atomic
def tell_place(key: int, *, now: datetime) -> bool:
    """Tell a player that they are off a ladder without having asked for it."""
    untold = LadderPlace.objects.filter(pk=key, told_left_at=None, left_because__gt="asked")
    if not untold.update(told_left_at=now):
        return False
    own = LadderPlace.objects.select_related("user").get(pk=key)
    _write_letter(own.user, {"place": own.pk}, now)
    return True


def _write_letter(reader: User, content: LadderContent, now: datetime) -> None:
    if not gets_mail(reader):
        return
    Notice.new(KIND.kind, user=reader, language=reader.language, content=content, now=now).save(
        force_insert=True
    )
    wakeups.notify_workers("notices")
