"""Choosing a pace and reading it: new tables, lists, facts, challenges and invitations."""

import re
from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone, translation

from games.clock.durations import largest_unit_in_words, pace_in_words, span_in_words
from games.clock.time_control import PaceKind, TimeControl, per_turn
from games.forms.terms import GROWING, IN_ALL, PER_TURN, endings_offered
from games.models import Game, Terms
from games.rules.registry import rules_for
from games.services.endings import resign
from games.services.invitations import ask_rematch, challenge, invite, link_token
from tests.games.play import DAY, begin, fresh, table

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)
MINUTE = timedelta(minutes=1)
FISCHER = TimeControl(PaceKind.FISCHER, DAY, 7 * DAY, 14 * DAY)
TOTAL = TimeControl(PaceKind.TOTAL, bank=60 * DAY)

FORM = {
    "game": "superpion",
    "whom": "anybody",
    "name": "",
    "creator_seat": "",
    "option-variant": "teams",
    "option-empty": "K",
    "option-quiet_rounds": "20",
    "pace": "turn",
    "days": "3",
    "growing": "1",
    "total": "60",
    "allows_vacations": "on",
    "on_timeout": "withdraw",
    "is_public": "on",
}
TWO = {key: value for key, value in FORM.items() if not key.startswith("option-")} | {
    "game": "morpion"
}


def words(html):
    """Return a page's words, without its tags."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", html))


def page(client, path, status=200):
    response = client.get(path)
    assert response.status_code == status
    return words(response.content.decode())


# Choosing ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("pace", PER_TURN)
def test_each_number_of_days_a_turn_can_be_chosen(as_ann, pace):
    as_ann.post(reverse("new_table"), TWO | {"days": str(pace.allowance.days)})
    assert Game.objects.get().terms.pace == pace


@pytest.mark.parametrize("place", range(len(GROWING)))
def test_each_bank_that_grows_can_be_chosen(as_ann, place):
    as_ann.post(reverse("new_table"), TWO | {"pace": "fischer", "growing": str(place)})
    assert Game.objects.get().terms.pace == GROWING[place]


@pytest.mark.parametrize("pace", IN_ALL)
def test_each_time_for_the_whole_game_can_be_chosen(as_ann, pace):
    as_ann.post(reverse("new_table"), TWO | {"pace": "total", "total": str(pace.bank.days)})
    assert Game.objects.get().terms.pace == pace


def test_every_pace_that_the_page_offers_is_possible():
    assert all(pace.is_possible for pace in [*PER_TURN, *GROWING, *IN_ALL])


@pytest.mark.parametrize("fate", ["withdraw", "substitute", "program", "partner"])
def test_what_stops_the_clock_and_what_follows_a_timeout_is_kept(as_ann, fate):
    as_ann.post(reverse("new_table"), FORM | {"on_timeout": fate})
    terms = Game.objects.get().terms
    assert (terms.allows_vacations, terms.allows_days_off, terms.on_timeout) == (True, False, fate)


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"pace": "blitz"}, "Select a valid choice"),
        ({"pace": "turn", "days": ""}, "Say how much time there is."),
        ({"pace": "fischer", "growing": ""}, "Say how much time there is."),
        ({"pace": "fischer", "growing": "99"}, "Select a valid choice"),
        ({"pace": "fischer", "growing": "-1"}, "Select a valid choice"),
        ({"pace": "total", "total": "1e9"}, "Select a valid choice"),
        ({"pace": "total", "total": "\0"}, "Select a valid choice"),
        ({"on_timeout": "murder"}, "Select a valid choice"),
        ({"on_timeout": "partner", "option-variant": "four"}, "Select a valid choice"),
        (
            {"on_timeout": "substitute", "whom": "partner", "is_public": ""},
            "A private game cannot look for a substitute",
        ),
    ],
)
def test_terms_that_cannot_be_are_refused_with_the_reason(as_ann, wrong, said):
    response = as_ann.post(reverse("new_table"), FORM | wrong)
    assert response.status_code == 422
    assert said in response.content.decode()
    assert not Game.objects.exists()


@pytest.mark.parametrize(
    ("slug", "variant", "offered"),
    [
        ("morpion", None, []),
        ("superpion", "two", []),
        ("superpion", "three", ["withdraw", "substitute", "program"]),
        ("superpion", "four", ["withdraw", "substitute", "program"]),
        ("superpion", "teams", ["withdraw", "substitute", "program", "partner"]),
    ],
)
def test_what_can_follow_a_timeout_depends_on_the_seats_and_teams(as_ann, slug, variant, offered):
    rules = rules_for(slug)
    options = rules.check_options({"variant": variant} if variant else {})
    assert endings_offered(rules, options) == offered
    chosen = FORM | {"game": slug, "option-variant": variant}
    html = as_ann.get(reverse("new_table"), {k: v for k, v in chosen.items() if v}).content.decode()
    assert re.findall(r'name="on_timeout" value="(\w+)"', html) == offered


def test_without_scripts_a_button_shows_what_the_chosen_options_allow(as_ann):
    html = as_ann.get(reverse("new_table"), {"game": "superpion"}).content.decode()
    assert re.search(r"<noscript>.*?value=\"look\".*?</noscript>", html, re.S)
    response = as_ann.post(
        reverse("new_table"), FORM | {"step": "look", "pace": "fischer", "growing": "2"}
    )
    html = response.content.decode()
    assert response.status_code == 200
    assert not Game.objects.exists()
    assert re.findall(r'name="on_timeout" value="(\w+)"', html)[-1] == "partner"
    assert re.search(r'name="pace" value="fischer"[^>]* checked', html)
    assert re.search(r'<option value="2" selected', html)


def test_the_page_explains_each_pace_in_a_sentence(as_ann):
    text = words(as_ann.get(reverse("new_table"), FORM).content.decode())
    for sentence in (
        "A fixed time for each turn. Unused time is not kept.",
        "Everybody has time in stock, gets more after each turn, and saves up to a limit.",
        "Everybody has so much time for all their turns together.",
        "They leave the game, and the others play on without them.",
        "The clock stops for up to 7 days while the game looks for a substitute, at most 2 times "
        "for one seat.",
        "Their partner plays for both from then on.",
    ):
        assert sentence in text
    html = as_ann.get(reverse("new_table") + "?game=morpion").content.decode()
    assert "Who runs out of time loses." in html
    assert 'for="id_pace_1"' in html
    assert html.count('<select name="growing" aria-label="Time in stock"') == 1


# In words ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("span", "english", "french"),
    [
        (timedelta(0), "no time", "aucun temps"),
        (-DAY, "no time", "aucun temps"),
        (MINUTE - timedelta(microseconds=1), "less than a minute", "moins d’une minute"),
        (MINUTE, "1 minute", "1 minute"),
        (HOUR - timedelta(microseconds=1), "59 minutes", "59 minutes"),
        (HOUR, "1 hour", "1 heure"),
        (DAY - MINUTE, "23 hours, 59 minutes", "23 heures, 59 minutes"),
        (DAY, "1 day", "1 jour"),
        (DAY + 5 * MINUTE, "1 day", "1 jour"),
        (3 * DAY + 12 * HOUR + MINUTE, "3 days, 12 hours", "3 jours, 12 heures"),
        (timedelta(days=366), "366 days", "366 jours"),
    ],
)
def test_a_length_of_time_is_never_said_longer_than_it_is(span, english, french):
    for language, said in (("en", english), ("fr", french)):
        with translation.override(language):
            assert span_in_words(span) == said
            assert largest_unit_in_words(span) == said.partition(",")[0]


@pytest.mark.parametrize(
    ("pace", "english", "french"),
    [
        (per_turn(3 * DAY), "3 days for each turn", "3 jours pour chaque coup"),
        (
            FISCHER,
            "7 days at the start, 1 day more after each turn, 14 days at most",
            "7 jours au début, 1 jour de plus après chaque coup, 14 jours au plus",
        ),
        (TOTAL, "60 days for the whole game", "60 jours pour toute la partie"),
    ],
)
def test_a_pace_in_words(pace, english, french):
    for language, said in (("en", english), ("fr", french)):
        with translation.override(language):
            assert pace_in_words(pace) == said


SAID = "7 days at the start, 1 day more after each turn, 14 days at most"


def test_lists_and_facts_name_the_pace(as_ann, ann, bob, cat):
    now = timezone.now()
    open_table = table(cat, now=now, terms=Terms(FISCHER))
    asked = table(cat, now=now, terms=Terms(FISCHER), is_public=False)
    challenge(game_id=asked.pk, by=cat, user=ann, now=now)
    for path in ("/", "/tables/", open_table.get_absolute_url(), asked.get_absolute_url()):
        assert SAID in page(as_ann, path)
    running = begin(ann, bob, now=now, terms=Terms(FISCHER))
    assert SAID in page(as_ann, running.get_absolute_url())


def test_the_page_of_an_invitation_names_the_pace(client, cat):
    now = timezone.now()
    waiting = table(cat, now=now, terms=Terms(TOTAL, allows_vacations=False))
    invitation = invite(game_id=waiting.pk, by=cat, email="zoe@example.org", now=now)
    text = page(client, reverse("invitation", args=[link_token(invitation)]))
    assert "Pace 60 days for the whole game" in text
    assert "Vacations stop the clock no Days off stop the clock yes" in text


def test_facts_say_what_becomes_of_who_runs_out_of_time_where_it_matters(as_ann, ann):
    now = timezone.now()
    terms = Terms(per_turn(DAY), on_timeout="substitute")
    several = table(ann, now=now, slug="superpion", terms=terms)
    assert "Who runs out of time The clock stops for up to 7 days" in page(
        as_ann, several.get_absolute_url()
    )
    two = table(ann, now=now, terms=terms)
    assert "Who runs out of time" not in page(as_ann, two.get_absolute_url())


def test_a_rematch_is_played_on_the_same_terms(ann, bob, now):
    terms = Terms(FISCHER, allows_vacations=False, allows_days_off=False, is_rated=False)
    game = begin(ann, bob, now=now, terms=terms)
    resign(game_id=game.pk, user=ann, now=now)
    assert fresh(ask_rematch(game_id=game.pk, user=ann, now=now)).terms == terms
