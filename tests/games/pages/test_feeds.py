"""The Atom feeds of a public game and of a player, read as RFC 4287 has it."""

from datetime import timedelta
from urllib.parse import urlsplit
from xml.etree import ElementTree

import pytest
from django.utils import timezone

from accounts.models import Audience
from games.services.endings import resign
from tests.games.play import begin, play, play_all

pytestmark = pytest.mark.django_db

ATOM = "{http://www.w3.org/2005/Atom}"


@pytest.fixture
def then():
    """An hour ago: nothing that was played then can be undone."""
    return timezone.now() - timedelta(hours=1)


@pytest.fixture
def running(ann, bob, then):
    return begin(ann, bob, now=then)


def feed(client, game, **headers):
    return feed_at(client, f"/games/{game.pk}/feed/", **headers)


def feed_at(client, address, **headers):
    answer = client.get(address, headers=headers)
    assert answer.status_code == 200
    assert answer["Content-Type"] == "application/atom+xml; charset=utf-8"
    return ElementTree.fromstring(answer.content)  # noqa: S314  (our own)


def entries(root):
    return [
        {child.tag.removeprefix(ATOM): child.text for child in entry}
        for entry in root.findall(f"{ATOM}entry")
    ]


def test_it_has_what_an_atom_feed_must_have(client, running, then):
    play_all(running, ["5", "1"], now=then)
    root = feed(client, running)
    assert root.tag == f"{ATOM}feed"
    assert root.find(f"{ATOM}title").text == f"Morpion #{running.pk}: ann – bob"
    links = {link.get("rel"): link.get("href") for link in root.findall(f"{ATOM}link")}
    assert urlsplit(links["self"]).path == f"/games/{running.pk}/feed/"
    assert urlsplit(links["alternate"]).path == running.get_absolute_url()
    for element in (root, *root.findall(f"{ATOM}entry")):
        for name in ("id", "title", "updated"):
            assert element.find(f"{ATOM}{name}").text
    ids = [entry["id"] for entry in entries(root)]
    assert len(set(ids)) == len(ids) == 2


def test_newest_first_in_words(client, running, then):
    play_all(running, ["5", "1"], now=then)
    newest, first = entries(feed(client, running))
    assert (newest["title"], first["title"]) == ("2. 1", "1. 5")
    assert first["summary"] == "ann plays in the centre."
    french = entries(feed(client, running, accept_language="fr"))[1]["summary"]
    assert french == "ann joue au centre."


def test_the_end_is_an_entry_of_its_own(client, running, bob, then):
    play_all(running, ["5"], now=then)
    resign(game_id=running.pk, user=bob, now=then)
    end = entries(feed(client, running))[0]
    assert (end["title"], end["summary"]) == ("ann won.", "A player resigned.")


def test_only_the_newest_turns_are_in_it(client, ann, bob, then, monkeypatch):
    monkeypatch.setattr("games.views.feeds.NEWEST", 3)
    game = begin(ann, bob, now=then)
    play_all(game, ["5", "1", "9", "2"], now=then)
    assert [entry["title"] for entry in entries(feed(client, game))] == ["4. 2", "3. 9", "2. 1"]


def test_a_turn_that_can_still_be_undone_is_left_out(client, running, ann, bob, then):
    play_all(running, ["5", "1"], now=then)
    play(running, ann, "9", now=timezone.now())
    assert [entry["title"] for entry in entries(feed(client, running))] == ["2. 1", "1. 5"]
    running.refresh_from_db()
    assert running.undo_until is not None


def test_who_has_the_newest_is_told_so(client, running, ann, then):
    address = f"/games/{running.pk}/feed/"
    etag = client.get(address)["ETag"]
    again = client.get(address, headers={"if-none-match": etag})
    assert (again.status_code, again.content) == (304, b"")
    play(running, ann, "5", now=then)
    assert client.get(address, headers={"if-none-match": etag}).status_code == 200


def test_a_private_game_and_an_open_table_have_none(client, ann, bob, then):
    private = begin(ann, bob, now=then, is_public=False)
    client.force_login(ann)
    assert client.get(f"/games/{private.pk}/feed/").status_code == 404
    html = client.get(private.get_absolute_url()).content.decode()
    assert "atom+xml" not in html
    assert "/feed/" not in html


def test_the_games_page_names_it(client, running):
    html = client.get(running.get_absolute_url()).content.decode()
    assert f'type="application/atom+xml" href="/games/{running.pk}/feed/"' in " ".join(html.split())


# Of a player -------------------------------------------------------------------------------------


def test_a_players_games_newest_first_with_whose_turn_it_is(client, ann, bob, cat, then):
    first = play_all(begin(ann, bob, now=then), ["5"], now=then)
    begin(ann, bob, now=then, is_public=False)
    begin(cat, bob, now=then)
    over = begin(ann, cat, now=then)
    resign(game_id=over.pk, user=cat, now=then)
    root = feed_at(client, "/people/ann/feed/")
    assert root.find(f"{ATOM}title").text == "Games of ann"
    found = {entry["title"]: entry["summary"] for entry in entries(root)}
    assert found == {
        f"Morpion #{first.pk}: ann – bob": "Turn 1. It is bob’s turn.",
        f"Morpion #{over.pk}: ann – cat": "Turn 0. ann won.",
    }
    ids = [entry["id"] for entry in entries(root)]
    play_all(first, ["1"], now=then)
    again = [entry["id"] for entry in entries(feed_at(client, "/people/ann/feed/"))]
    assert len(set(ids) & set(again)) == 1  # a new turn is a new entry


def test_a_game_whose_newest_turn_can_still_be_undone_waits(client, ann, bob, then):
    game = play_all(begin(ann, bob, now=then), ["5", "1"], now=then)
    play(game, ann, "9", now=timezone.now())
    assert entries(feed_at(client, "/people/ann/feed/")) == []


@pytest.mark.parametrize("shown_to", [Audience.MEMBERS, Audience.NOBODY])
def test_who_does_not_show_games_to_strangers_has_no_feed(client, ann, bob, then, shown_to):
    begin(ann, bob, now=then)
    ann.games_shown_to = shown_to
    ann.save()
    client.force_login(bob)
    assert client.get("/people/ann/feed/").status_code == 404
    assert "atom+xml" not in client.get("/people/ann/").content.decode()
    assert client.get("/people/nobody-here/feed/").status_code == 404
