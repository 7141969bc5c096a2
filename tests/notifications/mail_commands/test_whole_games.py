"""A whole game of every game by mail alone, from the invitation, or “new”, to the final letter."""

import random

import pytest

from accounts.models import User
from games.clock.time_control import per_turn
from games.models import Game, Terms
from games.queries.positions import position_at
from games.rules.random_games import random_turn
from games.rules.registry import rules_for
from games.services import invitations, tables
from games.services.record import faults_of
from tests.factories import PersonFactory
from tests.games.play import DAY
from tests.lanes import long
from tests.notifications.mail_commands.players_by_mail import text_of, words_of
from tests.notifications.outgoing_mail import play

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

GAMES = [
    ("morpion", {}),
    ("superpion", {"variant": "three", "quiet_rounds": 5}),
    *long(("super-morpion", {}), ("taquet", {}), ("morpiae", {"target": 3})),
]


LONG_ENOUGH = 12
"""Turns after which the players agree to stop and count."""


def agree(office, game):
    """Let the first seat offer to end the game, and the others accept."""
    first, *others = [seat.user.email for seat in game.seats.all()]
    office.answer(first, "offer")
    for address in others:
        office.answer(address, "accept")
        assert office.result() == ("done", "asked")
        office.answer(address, "yes")


@pytest.mark.parametrize(("slug", "options"), GAMES)
def test_from_the_invitation_to_the_final_mail(office, ann, slug, options):
    seats = rules_for(slug).seats(rules_for(slug).check_options(options))
    game = tables.open_table(
        creator=ann, rules_slug=slug, options=options, terms=Terms(per_turn(DAY)), now=office.now
    )
    others = [PersonFactory() for _ in range(seats - 2)]
    for person in others:
        invitations.challenge(game_id=game.pk, by=ann, user=person, now=office.now)
    invitations.invite(game_id=game.pk, by=ann, email="eve@example.net", now=office.now)
    office.carry()
    for address in (*(person.email for person in others), "eve@example.net"):
        office.answer(address, "accept")
    chance, game = random.Random(7), Game.objects.get(pk=game.pk)
    while game.status == Game.Status.ACTIVE and game.turn_number < LONG_ENOUGH:
        mover = game.seats.get(number=game.seat_to_move).user
        turn, _position = random_turn(game.rules, position_at(game), chance)
        office.answer(mover.email, turn)
        assert office.result() == ("done", "done")
        game.refresh_from_db()
    if game.status == Game.Status.ACTIVE:
        agree(office, game)
        game.refresh_from_db()
    assert game.status == Game.Status.FINISHED
    assert faults_of(game) == []
    assert set(game.turns.values_list("via", flat=True)) == {"mail"}
    for seat in game.seats.all():
        letters = [m for m in office.inboxes[seat.user.email] if m["X-Pli-Kind"] == "game-over"]
        assert len(letters) == 1
        (record,) = [part for part in letters[0].iter_attachments() if part.get_filename()]
        notations = [line.split("\t")[2] for line in record.get_content().splitlines()[-3:]]
        assert notations == [turn.notation for turn in game.turns.order_by("number")][-3:]
        assert f"/games/{game.pk}/" in text_of(letters[0])


WORDS = {
    "en": ("new {game} with bob{terms}, 5 days", "accept", "yes", "record {number}"),
    "fr": ("nouveau {game} avec bob{terms}, 5 jours", "accepter", "oui", "feuille {number}"),
}
SUPERPION = {"variant": "two", "quiet_rounds": 5}
TWO_PLAYERS = [
    ("morpion", "", {}, "line"),
    ("morpiae", ", target 1", {"target": 1}, "target"),
    *long(
        ("super-morpion", "", {}, "line"),
        ("taquet", "", {}, "line"),
        ("superpion", ", variant two, quiet rounds 5", SUPERPION, "alone"),
    ),
]
SEEDS = range(300)
BEGINNING, END = 4, 4
"""Turns that are played by mail at the beginning and at the end of a game. Those between come from
elsewhere: long runs of turns by mail are in the test above and in test_program_by_mail."""


def short_game(slug, options, reason):
    """Return the turns of the shortest of many random games that end for this reason."""
    rules, best = rules_for(slug), None
    for seed in SEEDS:
        chance, turns = random.Random(seed), []
        position = rules.initial(rules.check_options(options))
        while rules.to_move(position) is not None and (best is None or len(turns) < len(best)):
            text, position = random_turn(rules, position, chance)
            turns.append(text)
        outcome = rules.outcome(position)
        if outcome is not None and outcome.reason == reason:
            best = turns
    assert best is not None
    return best


@pytest.fixture
def fixed_address(settings, office):
    """Have the mail server check who wrote, so that players can write to one address."""
    settings.AUTHSERV_IDS = ["mx.example.org"]
    settings.PLAY_ADDRESS = "play@pli.example.org"
    office.results = "mx.example.org; dmarc=pass header.from=example.org"


@pytest.mark.usefixtures("fixed_address")
@pytest.mark.parametrize(("slug", "terms", "options", "reason"), TWO_PLAYERS)
@pytest.mark.parametrize("language", ["en", "fr"])
def test_from_new_to_the_record_without_a_page(
    office, ann, bob, slug, terms, options, reason, language
):
    """Nobody has a letter at first, and the game ends by its own rules."""
    User.objects.filter(pk__in=[ann.pk, bob.pk]).update(language=language)
    new, accept, yes, record = WORDS[language]
    office.write(ann.email, new.format(game=slug, terms=terms))
    assert office.result() == ("done", "asked")
    office.answer(ann.email, yes)
    office.answer(bob.email, accept)
    game = Game.objects.get()
    assert (game.rules_slug, game.status) == (slug, Game.Status.ACTIVE)
    assert game.options == rules_for(slug).check_options(options)
    turns = short_game(slug, options, reason)
    for number, turn in enumerate(turns):
        game.refresh_from_db()
        mover = game.seats.get(number=game.seat_to_move).user
        if BEGINNING <= number < len(turns) - END:
            play(game, mover, turn, office.now)
            continue
        office.carry()
        office.answer(mover.email, turn)
        assert office.result() == ("done", "done")
    game.refresh_from_db()
    assert (game.status, game.ending) == (Game.Status.FINISHED, reason)
    assert list(game.turns.values_list("notation", flat=True)) == turns
    letter = office.write(ann.email, record.format(number=game.pk))
    for turn in game.turns.all():
        assert f"{turn.number}. {turn.notation}" in words_of(letter)
