"""The turns that our letters give as examples: answered alone, each is played."""

import re

import pytest

from games.rules.registry import all_rules
from games.services import endings
from notifications.models import DAILY
from notifications.outbox.digests import send_digests
from notifications.services.preferences import save_digest_schedule
from tests.factories import PersonFactory
from tests.games.multiplayer import gather, play_on
from tests.games.play import SECOND, begin, fresh
from tests.lanes import long
from tests.notifications.mail_commands.players_by_mail import number_of, text_of, words_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

GAMES = [
    ("morpion", {}),
    ("super-morpion", {}),
    ("taquet", {}),
    ("morpiae", {}),
    ("morpiae", {"hints": True}),
    ("superpion", {"variant": "two"}),
    ("superpion", {"variant": "superduel"}),
    ("superpion", {"variant": "four"}),
]
EXAMPLES = re.compile(
    r"such as ((?:“[^”]+”(?: or )?)+), on the first line"
    r"|par exemple ((?:«\s[^»]+\s»(?: ou )?)+)"
)
QUOTED = re.compile(r"“([^”]+)”|«\s([^»]+)\s»")
LISTED = re.compile(r"(?:a turn, such as|un coup, par exemple) (.+?) –")


def examples_of(letter):
    """Return the turns that a letter's text gives as examples."""
    said = EXAMPLES.search(words_of(letter))
    assert said is not None, text_of(letter)
    return ["".join(found) for found in QUOTED.findall(said[0])]


def begun(slug, options, people, now):
    seats = 4 if options.get("variant") == "four" else 2
    if slug == "superpion" and seats == 4:
        return gather(people, now=now, **options)
    return begin(*people[:2], now=now, slug=slug, options=options)


@pytest.fixture
def people(ann, bob, cat):
    return [ann, bob, cat, PersonFactory(username="dan")]


def test_the_examples_cover_every_game():
    assert {slug for slug, _ in GAMES} == {rules.slug for rules in all_rules()}


@pytest.mark.parametrize("played", [7, *long(0, 30)])
@pytest.mark.parametrize(("slug", "options"), GAMES)
def test_every_example_of_a_letter_is_played(office, people, slug, options, played):
    """Every letter gives one example of each kind of turn; each is answered with another one."""
    game = begun(slug, options, people, office.now)
    for _ in range(played):
        game = game if game.is_over else play_on(game, 1, now=office.now)
    office.carry()
    for number in range(4):
        game = fresh(game)
        if game.is_over:
            break
        mover = game.seats.get(number=game.seat_to_move).user
        examples = examples_of(office.newest(mover.email))
        before = game.turn_number
        office.answer(mover.email, examples[number % len(examples)])
        assert office.result() == ("done", "done")
        assert number_of(game) == before + 1


@pytest.mark.parametrize(("slug", "options"), GAMES)
def test_the_examples_in_the_list_of_commands_are_played(office, people, slug, options):
    game = begun(slug, options, people, office.now)
    office.carry()
    ann = people[0].email
    said = words_of(office.answer(ann, "help"))
    listed = LISTED.search(said)
    assert listed is not None, said
    assert "74" not in listed[0]  # an example of one game would not fit the others
    office.answer(ann, listed[1].split(" or ")[-1])
    assert office.result() == ("done", "done")
    assert number_of(game) == 1


@pytest.mark.parametrize(("slug", "options"), GAMES)
def test_the_example_in_a_digest_is_played(office, people, slug, options):
    ann = people[0]
    schedule = save_digest_schedule(
        user=ann, later_hours=8, digest_every=DAILY, digest_hour=8, now=office.now
    )
    game = begun(slug, options, people, office.now)
    office.now = schedule.digest_due_at + SECOND
    send_digests(now=office.now)
    office.carry()
    digest = next(m for m in office.inboxes[ann.email] if m["X-Pli-Kind"] == "digest")
    (example,) = re.findall(r"For instance “([^”]+)”", words_of(digest))
    office.answer(ann.email, example, to=digest)
    assert office.result() == ("done", "done")
    assert number_of(game) == 1


def test_after_the_end_there_is_no_example(office, people):
    game = begun("morpion", {}, people, office.now)
    endings.resign(game_id=game.pk, user=people[1], now=office.now)
    office.carry()
    assert "such as" not in words_of(office.answer(people[0].email, "help"))
