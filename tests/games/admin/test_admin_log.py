"""The moderators' log in the admin, and on the command line."""

import pytest
from django.contrib.messages import get_messages
from django.core.management import CommandError, call_command
from django.urls import reverse
from django.utils import timezone

from games.moderation import log
from games.moderation.game_actions import pause_game, resume_game
from tests.games.moderation.test_log import bend
from tests.games.play import begin

pytestmark = pytest.mark.django_db


@pytest.fixture
def paused(ann, bob, mo, meg):
    """A game that mo paused and meg resumed."""
    now = timezone.now()
    game = begin(ann, bob, now=now)
    pause_game(game_id=game.pk, by=mo, why="mo says why", now=now)
    resume_game(game_id=game.pk, by=meg, why="meg says why", now=now)
    return game


def listed(judge, **query):
    answer = judge.get(reverse("admin:games_moderationlogentry_changelist"), query)
    assert answer.status_code == 200
    return [act.number for act in answer.context["cl"].result_list]


def test_the_log_is_listed_newest_first_and_found_by_game_and_moderator(judge, paused):
    assert listed(judge) == [2, 1]
    assert listed(judge, q=f"#{paused.pk}") == [2, 1]
    assert listed(judge, q="me") == [2]
    assert listed(judge, q="mo") == [1]
    assert listed(judge, q=str(paused.pk + 1)) == listed(judge, q="nobody") == []
    html = judge.get(reverse("admin:games_moderationlogentry_changelist")).content.decode()
    for words in ("game paused", "mo says why", "game resumed", "Verify the log"):
        assert words in html


def verified(judge, anchor=""):
    answer = judge.post(reverse("admin:games_moderationlogentry_verify"), {"anchor": anchor})
    assert answer.status_code == 302
    said = [(m.level_tag, str(m)) for m in get_messages(answer.wsgi_request)]
    judge.get(reverse("admin:games_moderationlogentry_changelist"))  # they have been read
    return said


def test_a_whole_log_verifies(judge, paused):
    assert verified(judge) == [("success", "The log is intact: every hash matches.")]
    told = str(log.newest_anchor())
    assert verified(judge, told) == [
        ("success", "The log is intact, and entry 2 is the one in the digest.")
    ]


def test_the_form_is_filled_from_the_digests_link_and_checks_it(judge, paused):
    path = reverse("admin:games_moderationlogentry_verify")
    assert 'value="2-aa"' in judge.get(path, {"anchor": "2-aa"}).content.decode()
    answer = judge.post(path, {"anchor": "2-aa"})
    assert "a number, a hyphen, and sixteen letters and" in answer.content.decode()


def test_a_bent_log_is_told_of(judge, paused):
    bend("UPDATE games_act SET why = 'nothing' WHERE number = 1")
    assert verified(judge) == [
        ("error", "The log has been altered: entry 1 does not match its hash.")
    ]


def test_what_was_cut_off_its_end_is_told_of_too(judge, paused):
    bend("DELETE FROM games_act WHERE number = 2")
    assert verified(judge) == [("error", "The log has been altered: entry 2 is missing.")]


@pytest.mark.parametrize("who", ["nobody", "ann"])
def test_others_do_not_verify_it(client, paused, ann, who):
    if who == "ann":
        client.force_login(ann)
    assert "login" in client.post(reverse("admin:games_moderationlogentry_verify"))["Location"]


def test_records_check_checks_the_log_too(paused, capsys):
    call_command("records", "check")
    assert "1 games, 0 faults" in capsys.readouterr().out
    bend("UPDATE games_act SET why = 'no reason' WHERE number = 2")
    with pytest.raises(SystemExit):
        call_command("records", "check")
    assert "log: entry 2 does not match its hash" in capsys.readouterr().out


def test_records_check_compares_the_log_with_what_a_digest_said(paused, capsys):
    told = str(log.newest_anchor())
    call_command("records", "check", anchor=told)
    assert "0 faults" in capsys.readouterr().out
    with pytest.raises(SystemExit):
        call_command("records", "check", anchor=told.replace("2-", "3-"))
    assert "log: entry 3 is missing" in capsys.readouterr().out
    with pytest.raises(CommandError, match="a number, a hyphen, and sixteen letters and"):
        call_command("records", "check", anchor="2")
