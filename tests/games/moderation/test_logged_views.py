"""What staff read of other people's private games is an entry of the log."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone, translation

from accounts.roles import ADMINISTRATORS, MODERATORS
from games.models import Event, Message, ModerationLogEntry
from games.moderation import log
from games.moderation.action_names import action_label
from games.moderation.game_actions import pause_game
from games.services.conduct.messages import say
from games.services.conduct.reports import report_message
from games.services.invitations import challenge
from tests.factories import StaffFactory
from tests.games.moderating import WHY
from tests.games.play import begin, play, table

pytestmark = pytest.mark.django_db

READ = "read-private-game"
SAID = "the quince tart is in the oven"


@pytest.fixture
def mod(db):
    return StaffFactory(username="mona", role=MODERATORS)


@pytest.fixture
def as_mod(client, mod):
    """The browser of a moderator with a second factor, who plays nowhere."""
    client.force_login(mod)
    client.get(reverse("rules_index"))  # that they are here is noted once in a while
    return client


def game_of(ann, bob, is_public):
    """Return a game with a turn, and a message that ann has reported."""
    now = timezone.now()
    game = begin(ann, bob, now=now, is_public=is_public)
    play(game, ann, "5", now=now)
    said = say(game_id=game.pk, user=bob, text=SAID, via=Message.Via.WEB, now=now)
    report_message(message_id=said.pk, reporter=ann, reason="abuse", text="x", now=now)
    return game


@pytest.fixture
def private(ann, bob):
    return game_of(ann, bob, is_public=False)


@pytest.fixture
def public(ann, bob):
    return game_of(ann, bob, is_public=True)


def reads():
    """Return who read which game on which page, in the order of the log."""
    acts = ModerationLogEntry.objects.filter(what=READ).order_by("number")
    return list(acts.values_list("by__username", "game", "why"))


PAGES = {
    "the game": lambda game: game.get_absolute_url(),
    "a turn of it": lambda game: reverse("game_turn", args=[game.pk, 1]),
    "its replay": lambda game: reverse("game_replay", args=[game.pk]),
    "its news": lambda game: reverse("game_news", args=[game.pk]) + "?shows=less",
    "its report form": lambda game: reverse("report", args=["game", game.pk]),
    "a message's report form": lambda game: reverse(
        "report", args=["message", game.messages.get().pk]
    ),
    "the admin's page": lambda game: reverse("admin:games_game_change", args=[game.pk]),
    "an act in the admin": lambda game: reverse("admin:games_game_do", args=[game.pk, "take-back"]),
    "a message in the admin": lambda game: reverse(
        "admin:games_message_change", args=[game.messages.get().pk]
    ),
    "a report in the admin": lambda game: reverse(
        "admin:games_report_change", args=[game.reports.get().pk]
    ),
    "an event in the admin": lambda game: reverse(
        "admin:games_event_change", args=[game.events.get(kind=Event.Kind.TURN_PLAYED).pk]
    ),
}


@pytest.mark.parametrize("where", PAGES)
def test_a_moderator_who_reads_a_private_game_is_in_the_log_with_the_page(as_mod, private, where):
    path = PAGES[where](private)
    assert as_mod.get(path).status_code == 200
    assert reads() == [("mona", private.pk, path.partition("?")[0])]


@pytest.mark.parametrize(
    ("name", "sent"), [("game_play", {"text": "1", "expected_turn": "1"}), ("game_say", {})]
)
def test_so_is_one_who_is_shown_it_while_something_is_refused(as_mod, private, name, sent):
    answer = as_mod.post(reverse(name, args=[private.pk]), sent)
    assert answer.status_code == 403
    assert len(reads()) == 1


def test_hosts_are_in_the_log_too(client, private):
    client.force_login(StaffFactory(username="hana", role=ADMINISTRATORS))
    client.get(private.get_absolute_url())
    assert reads() == [("hana", private.pk, private.get_absolute_url())]


def test_there_is_one_entry_a_moderator_game_and_day(as_mod, private, ann, bob, mod):
    for path in (page(private) for page in PAGES.values()):
        as_mod.get(path)
    assert len(reads()) == 1
    other = game_of(ann, bob, is_public=False)
    as_mod.get(other.get_absolute_url())
    as_mod.force_login(StaffFactory(username="meg", role=MODERATORS))
    as_mod.get(private.get_absolute_url())
    assert [(who, game) for who, game, _ in reads()] == [
        ("mona", private.pk),
        ("mona", other.pk),
        ("meg", private.pk),
    ]


def test_the_next_day_has_an_entry_of_its_own(as_mod, private, mod):
    midnight = timezone.now().replace(hour=0, minute=0, second=0, microsecond=0)
    before = midnight - timedelta(microseconds=1)
    log.write_entry(by=mod, what=READ, why="/games/", game=private, now=before)
    as_mod.get(private.get_absolute_url())
    as_mod.get(private.get_absolute_url())
    assert len(reads()) == 2


# What is no entry --------------------------------------------------------------------------------


def asked(client, path):
    """Get a page; return the questions about the log that it cost."""
    with CaptureQueriesContext(connection) as queries:
        assert client.get(path).status_code == 200
    return [query["sql"] for query in queries if '"games_moderationlogentry"' in query["sql"]]


def test_a_public_game_is_read_without_an_entry_and_without_a_question(as_mod, public):
    for name in ("the game", "a turn of it", "its report form", "a message's report form"):
        assert asked(as_mod, PAGES[name](public)) == []
    for name in ("the admin's page", "a message in the admin", "a report in the admin"):
        as_mod.get(PAGES[name](public))
    assert reads() == []


def test_of_its_players_nothing_is_asked_or_noted(client, private, ann, bob):
    for player in (ann, bob):
        client.force_login(player)
        for name in ("the game", "a turn of it", "its report form"):
            assert asked(client, PAGES[name](private)) == []
    assert reads() == []


def test_a_moderator_who_plays_there_reads_it_as_a_player(as_mod, mod, ann):
    own = game_of(ann, mod, is_public=False)
    for name in ("the game", "a turn of it", "the admin's page"):
        as_mod.get(PAGES[name](own))
    assert reads() == []


def test_a_moderator_who_is_challenged_reads_the_table_as_a_player(as_mod, mod, ann):
    now = timezone.now()
    made = table(ann, now=now, is_public=False)
    challenge(game_id=made.pk, by=ann, user=mod, now=now)
    assert as_mod.get(made.get_absolute_url()).status_code == 200
    assert reads() == []


def test_who_is_not_let_in_is_not_in_the_log(client, private, cat, mod):
    mod.authenticator_set.all().delete()
    for person in (cat, mod):
        client.force_login(person)
        assert client.get(private.get_absolute_url()).status_code == 404
    assert not ModerationLogEntry.objects.exists()


# The admin ---------------------------------------------------------------------------------------


def test_the_list_of_messages_says_nothing_of_what_was_said_in_private(as_mod, private, ann, bob):
    loud = begin(ann, bob, now=timezone.now())
    say(game_id=loud.pk, user=bob, text="Loud", via=Message.Via.WEB, now=timezone.now())
    html = as_mod.get(reverse("admin:games_message_changelist")).text
    assert "Loud" in html
    assert SAID not in html
    assert "at a private game" in html
    assert reads() == []


def test_reading_is_no_act_that_another_moderator_must_look_at_first(as_mod, private, mo, mod):
    page = as_mod.get(reverse("admin:games_game_change", args=[private.pk])).text
    assert 'name="seen" value="0"' in page
    assert len(reads()) == 1
    assert (
        'name="seen" value="0"'
        in as_mod.get(reverse("admin:games_game_change", args=[private.pk])).text
    )
    assert pause_game(game_id=private.pk, by=mo, why=WHY, now=timezone.now(), seen=0).stop_reason


def test_the_log_says_it_in_both_languages(as_mod, private, mod):
    as_mod.get(private.get_absolute_url())
    for language, words in (("en", "private game read"), ("fr", "partie privée consultée")):
        with translation.override(language):
            assert action_label(READ) == words
        mod.language = language
        mod.save()
        listed = as_mod.get(
            reverse("admin:games_moderationlogentry_changelist"), {"q": f"#{private.pk}"}
        ).text
        assert words in listed
        assert private.get_absolute_url() in listed


def test_an_entry_of_reading_is_part_of_the_chain(as_mod, private):
    as_mod.get(private.get_absolute_url())
    assert list(log.faults()) == []
