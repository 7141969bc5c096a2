"""The texts that a person can ask for by mail."""

from datetime import timedelta

import pytest
from django.utils import translation

from games.models import Game
from games.rules.registry import all_rules
from games.services import endings, invitations, offers
from games.services.clock.availability import announce_vacation
from notifications.mail_commands.help_text import list_commands
from notifications.mail_commands.listings import rulebook_of
from notifications.mail_parser import NotUnderstood, SayCommand, TurnCommand, parse_command
from tests.games.play import begin, play, table


def at_no_game(ann, bob, now):
    return None


def at_table(ann, bob, now):
    game = table(bob, now=now)
    invitations.challenge(game_id=game.pk, by=bob, user=ann, now=now)
    return game


def on_turn(ann, bob, now):
    return begin(ann, bob, now=now)


def not_on_turn(ann, bob, now):
    game = begin(ann, bob, now=now)
    play(game, ann, "5", now=now)
    offers.offer_pause(game_id=game.pk, user=bob, days=7, now=now)
    return game


def paused(ann, bob, now):
    game = begin(ann, bob, now=now)
    offers.offer_pause(game_id=game.pk, user=bob, days=7, now=now)
    offers.accept_offer(game_id=game.pk, user=ann, now=now)
    offers.offer_end(game_id=game.pk, user=ann, now=now)
    return game


def over(ann, bob, now):
    game = begin(ann, bob, now=now)
    endings.resign(game_id=game.pk, user=bob, now=now)
    return game


MOMENTS = [at_no_game, at_table, on_turn, not_on_turn, paused, over]


def words_listed(game, user, now):
    """Return the words that help names, without those of a turn."""
    shown = list_commands(Game.objects.get(pk=game.pk) if game else None, user, now)
    lines = [line for line in shown.splitlines() if " – " in line]
    words = [word.strip() for line in lines for word in line.partition(" – ")[0].split(",")]
    return [word for word in words if not word.startswith(("a turn", "un coup", "such as", "par"))]


@pytest.mark.django_db
@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize("moment", MOMENTS, ids=lambda moment: moment.__name__)
def test_every_command_that_help_names_is_read_as_one(moment, language, ann, bob, now):
    """ "say …" wants words, all others are commands as they stand."""
    game = moment(ann, bob, now)
    with translation.override(language):
        words = words_listed(game, ann, now)
    assert len(words) > 10
    for word in words:
        order, _ = parse_command([word])
        assert not isinstance(order, TurnCommand | NotUnderstood), word
        assert not isinstance(order, SayCommand) or order.text == "…"


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("moment", "listed", "not_listed"),
    [
        (at_no_game, "games tables settings", "resign board rematch accept undo"),
        (at_table, "accept decline games", "resign board rematch undo"),
        (on_turn, "legal resign abort pause-7 later-8h", "rematch accept undo resume withdraw win"),
        (not_on_turn, "undo accept decline more-time", "legal rematch later-8h withdraw resume"),
        (paused, "resume withdraw", "pause-7 rematch accept"),
        (over, "rematch say-… notes report-…", "resign legal undo clock accept pause-7"),
    ],
)
def test_help_fits_the_moment(moment, listed, not_listed, ann, bob, now):
    words = {word.replace(" ", "-") for word in words_listed(moment(ann, bob, now), ann, now)}
    assert set(listed.split()) <= words
    assert not words & set(not_listed.split())


@pytest.mark.django_db
def test_who_is_away_learns_how_to_come_back(ann, now):
    assert "vacation 10" in words_listed(None, ann, now)
    ends = now + timedelta(days=5)
    announce_vacation(user=ann, begins_at=now, ends_at=ends, now=now)
    assert "vacation end" in words_listed(None, ann, now)


@pytest.mark.parametrize("slug", sorted(rules.slug for rules in all_rules()))
@pytest.mark.parametrize("language", ["en", "fr"])
def test_a_rulebook_in_a_mail_has_no_marks_of_its_page(slug, language):
    with translation.override(language):
        text = rulebook_of(Game(rules_slug=slug))
    assert "\n------" in text
    for mark in ("# ", "`", "**", "| "):
        assert mark not in text
