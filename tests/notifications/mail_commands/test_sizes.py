"""How large our mails are as they go over SMTP, pictures included."""

import random

import pytest

from games.rules.registry import all_rules
from notifications.models import DAILY, Notice
from notifications.outbox.digests import send_digests
from notifications.services.preferences import save_digest_schedule
from tests.factories import PersonFactory
from tests.games.multiplayer import gather, play_on
from tests.games.play import SECOND, begin
from tests.lanes import long

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

LARGEST_LETTER = 30_000
LARGEST_DIGEST = 200_000
GAMES_IN_DIGEST = 30
SLUGS = sorted(rules.slug for rules in all_rules())
OTHERS = [slug for slug in SLUGS if slug != "superpion"]


def begun(slug, people, now):
    """Begin a game; Superpion with four players, whose board is the fullest."""
    return (
        gather(people, now=now) if slug == "superpion" else begin(*people[:2], now=now, slug=slug)
    )


@pytest.fixture
def people(ann, bob, cat):
    return [ann, bob, cat, PersonFactory(username="dan")]


@pytest.mark.parametrize("slug", ["superpion", *long(*OTHERS)])
def test_a_turns_letter_is_small(office, people, slug):
    game = begun(slug, people, office.now)
    office.carry()
    for number in range(24):
        game = game if game.is_over else play_on(game, 1, now=office.now)
        if number % 3 == 2:
            office.carry()
    sizes = [len(raw) for raw in office.sink.raw]
    assert len(sizes) >= 6
    assert max(sizes) < LARGEST_LETTER


def test_a_digest_of_thirty_games_is_small(office, people):
    """All of them wait for the reader: each shows its board."""
    ann = people[0]
    schedule = save_digest_schedule(
        user=ann, later_hours=8, digest_every=DAILY, digest_hour=8, now=office.now
    )
    for number in range(GAMES_IN_DIGEST):
        game = begun(SLUGS[number % len(SLUGS)], people, office.now)
        played = random.Random(number).choice([0, 4])
        play_on(game, played, now=office.now)
    office.now = schedule.digest_due_at + SECOND
    send_digests(now=office.now)
    notice = Notice.objects.get(kind="digest")
    assert len(notice.content["games"]) == GAMES_IN_DIGEST
    office.carry()
    digests = [raw for raw in office.sink.raw if b"X-Pli-Kind: digest" in raw]
    assert [len(raw) < LARGEST_DIGEST for raw in digests] == [True]
