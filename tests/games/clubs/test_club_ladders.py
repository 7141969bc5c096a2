"""Ladders of clubs: for members alone, apart from those of the site, with private games."""

from itertools import pairwise

import pytest
from django.core import mail
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse

from accounts.server_time import server_now
from games import club_errors, ladder_errors
from games.models import Game, Ladder, LadderChallenge, LadderPlace, ModerationLogEntry
from games.moderation.clubs import close_club_as_moderator
from games.moderation.competition import remove_from_ladder
from games.queries.clubs import club_page
from games.queries.ladders import ladder_cards, own_challenges
from games.services.clubs.clubs import close_club
from games.services.clubs.members import admit, ask_for_membership, leave_club, remove_member
from games.services.endings import resign
from games.services.ladders.challenges import (
    accept_challenge,
    challenge_player,
    decline_challenge,
    withdraw_challenge,
)
from games.services.ladders.places import join_ladder, leave_ladder
from games.services.ladders.upkeep import run_ladders
from notifications.deletion.deleting import delete_account
from notifications.outbox.delivery import send_due
from notifications.outbox.ladder_letters import tell_ladders
from tests.factories import PersonFactory
from tests.games.clubs.meeting import DAY, club_of
from tests.games.ladders.climbing import SLUG, order, renewed
from tests.games.play import unchanged
from tests.notifications.outgoing_mail import html_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def dan(db):
    return PersonFactory(username="dan")


@pytest.fixture
def club(ann, bob, cat, dan, now):
    """Ann's club; bob, cat and dan are on its ladder of Morpion in this order."""
    club = club_of(ann, bob, cat, dan, now=now)
    join(club, bob, cat, dan, now=now)
    return club


def join(club, *people, now):
    for person in people:
        join_ladder(rules_slug=SLUG, user=person, now=now, club_id=club and club.pk)


def call(club, challenger, challenged, *, now):
    return challenge_player(
        rules_slug=SLUG,
        user=challenger,
        opponent=challenged,
        now=now,
        club_id=club and club.pk,
    )


def begin(club, challenger, challenged, *, now):
    challenge = call(club, challenger, challenged, now=now)
    return accept_challenge(challenge_id=challenge.pk, user=challenged, now=now)


def refused(error, service, **arguments):
    with unchanged(), pytest.raises(error):
        service(**arguments)


def text_of(client, url, **headers):
    return " ".join(client.get(url, headers=headers).content.decode().split())


# Who may ------------------------------------------------------------------------------------------


def test_only_members_of_an_open_club_play_on_its_ladders(club, ann, bob, now):
    eve = PersonFactory(username="eve")
    join_ladder(rules_slug=SLUG, user=eve, now=now)  # the site's ladder is no help
    at = {"rules_slug": SLUG, "now": now, "club_id": club.pk}
    refused(club_errors.NotInClub, join_ladder, user=eve, **at)
    refused(club_errors.NotInClub, leave_ladder, user=eve, **at)
    refused(club_errors.NotInClub, challenge_player, user=eve, opponent=bob, **at)
    refused(ladder_errors.NotOnLadder, challenge_player, user=ann, opponent=bob, **at)
    refused(ladder_errors.OpponentNotOnLadder, challenge_player, user=bob, opponent=eve, **at)
    refused(ladder_errors.AlreadyOnLadder, join_ladder, user=bob, **at)
    refused(ladder_errors.NoSuchLadder, join_ladder, user=ann, **at | {"rules_slug": "chess"})
    refused(ladder_errors.NoSuchLadder, leave_ladder, user=ann, **at | {"rules_slug": "taquet"})
    refused(club_errors.NoSuchClub, join_ladder, user=ann, **at | {"club_id": 2**70})
    close_club(club_id=club.pk, user=ann, now=now)
    refused(club_errors.ClubIsClosed, join_ladder, user=ann, **at)
    refused(club_errors.ClubIsClosed, leave_ladder, user=bob, **at)
    refused(club_errors.ClubIsClosed, challenge_player, user=bob, opponent=ann, **at)


def test_one_game_has_places_of_its_own_on_the_site_and_in_each_club(club, ann, bob, cat, now):
    other = club_of(cat, ann, bob, now=now, name="Other")
    join(other, ann, cat, now=now)
    join(None, cat, bob, ann, now=now)
    assert Ladder.objects.filter(rules_slug=SLUG).count() == 3
    orders = {club: ["bob", "cat", "dan"], other: ["ann", "cat"], None: ["cat", "bob", "ann"]}
    for where, names in orders.items():
        assert order(club=where) == names
    # Two who meet in a club can meet elsewhere, too.
    in_club, in_other = call(club, cat, bob, now=now), call(other, cat, ann, now=now)
    on_site = call(None, bob, cat, now=now)
    assert own_challenges(cat) == [on_site]  # the API knows no ladders of clubs
    cat.ladder_places.update(has_declined=True)
    decline_challenge(challenge_id=on_site.pk, user=cat, now=now)
    assert order() == ["bob", "cat", "ann"]
    assert order(club=club) == orders[club]
    withdraw_challenge(challenge_id=in_other.pk, user=cat, now=now)
    accept_challenge(challenge_id=in_club.pk, user=bob, now=now)
    resign(game_id=renewed(in_club).game_id, user=bob, now=now)
    run_ladders(now=now + DAY)
    assert order(club=club) == ["cat", "bob", "dan"]
    assert order() == ["bob", "cat", "ann"]
    assert order(club=other) == orders[other]
    leave_ladder(rules_slug=SLUG, user=cat, now=now, club_id=club.pk)
    cards = [
        next(one for one in ladder_cards(cat, where) if one.rules_slug == SLUG)
        for where in (None, club, other)
    ]
    assert [(one.size, one.own_place) for one in cards] == [(3, 2), (2, None), (2, 2)]


def test_its_games_are_private_and_rated(club, ann, bob, cat, dan, now):
    challenge = begin(club, cat, bob, now=now)
    assert (challenge.game.is_public, challenge.game.is_rated) == (False, True)
    public = begin_on_site(bob, cat, now)
    assert (public.is_public, public.is_rated) == (True, True)
    path, ladder = challenge.game.get_absolute_url(), challenge.ladder.get_absolute_url()
    client = Client()
    for person in (None, PersonFactory(username="eve"), ann, dan):
        if person is not None:
            client.force_login(person)
        assert client.get(path).status_code == 404
        if person in (ann, dan):
            page = text_of(client, ladder)
            assert "plays against cat" in page
            assert path not in page
    for person, said in ((bob, "joue contre cat"), (cat, "plays against cat")):
        client.force_login(person)
        assert client.get(path).status_code == 200
        page = text_of(client, ladder)
        assert said in page
        assert f'href="{path}"' in page
    resign(game_id=challenge.game_id, user=bob, now=now)
    run_ladders(now=now + DAY)
    client.force_login(dan)
    page = text_of(client, ladder)
    assert "the challenger won" in page
    assert path not in page


def begin_on_site(first, second, now):
    """Return a game of the site's ladder."""
    join(None, first, second, now=now)
    return begin(None, second, first, now=now).game


def test_the_database_refuses_a_second_ladder_of_a_game(club, now):
    join(None, club.members.first().user, now=now)
    for where in (club, None):
        with unchanged(), pytest.raises(IntegrityError), transaction.atomic():
            Ladder.objects.create(rules_slug=SLUG, club=where, made_at=now)


# Who leaves the club -----------------------------------------------------------------------------


def leaves(club, person, owner, now):
    leave_club(club_id=club.pk, user=person, now=now)


def is_removed(club, person, owner, now):
    remove_member(club_id=club.pk, person=person, by=owner, text="Rude", now=now)


def is_deleted(club, person, owner, now):
    person.deletion_due_at = now
    person.save()
    assert delete_account(person.pk, now)


@pytest.mark.parametrize("how", [leaves, is_removed])
def test_who_leaves_the_club_leaves_its_ladders(club, ann, bob, cat, dan, now, how):
    other = club_of(ann, bob, now=now, name="Other")
    for where in (other, None):
        join(where, bob, now=now)
    join_ladder(rules_slug="taquet", user=bob, now=now, club_id=club.pk)
    begun, waiting = begin(club, cat, bob, now=now), call(club, dan, bob, now=now)
    how(club, bob, ann, now + DAY)
    assert order(club=club) == ["cat", "dan"]
    assert order("taquet", club) == []
    assert order(club=other) == order() == ["bob"]
    for challenge in (begun, waiting):
        assert renewed(challenge).outcome == "left"
    begun.game.refresh_from_db()
    assert begun.game.status == "active"
    resign(game_id=begun.game_id, user=cat, now=now + DAY)
    run_ladders(now=now + 2 * DAY)
    assert order(club=club) == ["cat", "dan"]
    begun.game.refresh_from_db()
    assert (begun.game.status, begun.game.is_rated) == ("finished", True)


def test_challengers_rise_when_the_challenged_leaves_the_club(club, bob, dan, now):
    challenge = call(club, dan, bob, now=now)
    leave_club(club_id=club.pk, user=bob, now=now)
    assert order(club=club) == ["dan", "cat"]
    assert renewed(challenge).has_moved


def test_a_result_that_is_there_already_counts_before_the_loser_leaves(club, bob, dan, now):
    challenge = begin(club, dan, bob, now=now)
    resign(game_id=challenge.game_id, user=bob, now=now)
    leave_club(club_id=club.pk, user=dan, now=now)
    assert renewed(challenge).outcome == "won"
    assert order(club=club) == ["bob", "cat"]


def test_whose_account_is_deleted_is_on_no_ladder_of_a_club(club, ann, bob, now):
    is_deleted(club, bob, ann, now)
    assert order(club=club) == ["cat", "dan"]
    is_deleted(club, ann, ann, now)
    assert order(club=club) == ["cat", "dan"]


def test_who_is_admitted_again_comes_back_where_they_stood(club, ann, bob, cat, dan, now):
    leave_club(club_id=club.pk, user=bob, now=now)
    ask_for_membership(club_id=club.pk, user=bob, now=now)
    admit(club_id=club.pk, person=bob, by=ann, now=now)
    assert order(club=club) == ["cat", "dan"]
    join(club, bob, now=now)
    assert order(club=club) == ["bob", "cat", "dan"]


def by_its_owner(club, ann, moderator, now):
    close_club(club_id=club.pk, user=ann, now=now)


def by_a_moderator(club, ann, moderator, now):
    close_club_as_moderator(club_id=club.pk, by=moderator, why="Spam", now=now)


@pytest.mark.parametrize("closed", [by_its_owner, by_a_moderator])
def test_a_closed_club_has_nobody_on_its_ladders(club, ann, bob, cat, dan, moderator, now, closed):
    join(club, ann, now=now)
    over, begun = begin(club, cat, bob, now=now), begin(club, dan, cat, now=now)
    waiting = call(club, ann, bob, now=now)
    resign(game_id=over.game_id, user=bob, now=now)
    closed(club, ann, moderator, now + DAY)
    assert order(club=club) == []
    assert [renewed(one).outcome for one in (over, begun, waiting)] == ["won", "left", "left"]
    places = dict(LadderPlace.objects.values_list("user__username", "left_place"))
    assert places == {"cat": 1, "bob": 2, "dan": 3, "ann": 4}
    begun.game.refresh_from_db()
    assert begun.game.status == "active"
    at = {"challenge_id": waiting.pk, "now": now + DAY}
    refused(club_errors.ClubIsClosed, accept_challenge, user=bob, **at)
    refused(club_errors.ClubIsClosed, decline_challenge, user=bob, **at)
    refused(club_errors.ClubIsClosed, withdraw_challenge, user=ann, **at)
    resign(game_id=begun.game_id, user=cat, now=now + DAY)
    run_ladders(now=now + 40 * DAY)
    assert renewed(begun).outcome == "left"


# Pages -------------------------------------------------------------------------------------------


def test_members_join_and_challenge_on_its_pages(as_ann, ann, bob, cat):
    now = server_now()
    club = club_of(ann, bob, cat, now=now)
    page, ladder, do = club.get_absolute_url(), *addresses(club)
    shown = text_of(as_ann, page)
    for slug in ("morpion", "taquet"):
        assert f'href="/clubs/round-table/ladders/{slug}/"' in shown
    assert "0 players" in shown
    assert "Nobody is on this ladder yet." in text_of(as_ann, ladder)
    join(club, bob, now=now)
    assert as_ann.post(do, {"act": "join"}).url == ladder == "/clubs/round-table/ladders/morpion/"
    shown = text_of(as_ann, page)
    assert "2 players" in shown
    assert "your place: 2" in shown
    shown = text_of(as_ann, ladder)
    assert "<title> Ladder of Morpion in the club Round Table" in shown
    assert f'A ladder of the club <a href="{page}"><bdi>Round Table</bdi></a>.' in shown
    assert "Who leaves the club leaves its ladders, too." in shown
    assert f'action="{do}"' in shown
    assert 'action="/ladders/' not in shown
    assert as_ann.post(do, {"act": "challenge", "opponent": bob.pk}).url == ladder
    challenge = LadderChallenge.objects.get()
    as_bob = Client()
    as_bob.force_login(bob)
    french = text_of(as_bob, ladder)
    assert "Échelle de Morpion du club Round Table" in french
    assert "Une échelle du club" in french
    assert "Qui quitte le club quitte aussi ses échelles." in french
    assert "Échelles du club" in text_of(as_bob, page)
    answer = as_bob.post(do, {"act": "accept", "challenge": challenge.pk})
    assert answer.url == renewed(challenge).game.get_absolute_url()
    assert 'value="leave"' in text_of(as_ann, f"{ladder}?act=leave")
    assert as_ann.post(do, {"act": "leave"}).url == ladder
    assert order(club=club) == ["bob"]
    assert as_ann.post(do, {"act": "dance"}).status_code == 404
    assert as_ann.get("/clubs/round-table/ladders/chess/").status_code == 404
    assert as_ann.get("/clubs/no-club/ladders/morpion/").status_code == 404
    assert as_ann.post("/clubs/round-table/ladders/chess/do/", {"act": "join"}).status_code == 404


def addresses(club):
    """Return the address of the club's ladder of Morpion, and of what is done there."""
    args = [club.slug, SLUG]
    return reverse("club_ladder", args=args), reverse("act_on_club_ladder", args=args)


def test_nobody_else_sees_its_ladders(club, bob, now):
    client, (ladder, do) = Client(), addresses(club)
    assert client.get(ladder).url == f"{reverse('account_login')}?next={ladder}"
    client.force_login(PersonFactory(username="eve"))
    assert client.get(ladder).status_code == client.post(do, {"act": "join"}).status_code == 403
    assert "Ladders of the club" not in text_of(client, club.get_absolute_url())
    assert not club_page(club, PersonFactory(username="eve"), now=now).ladders
    site = text_of(client, f"/ladders/{SLUG}/")
    assert "Nobody is on this ladder yet." in site
    assert "Round Table" not in site
    client.force_login(bob)
    assert client.get(ladder).status_code == 200
    leave_club(club_id=club.pk, user=bob, now=now)
    assert client.get(ladder).status_code == 403


def test_no_page_of_it_makes_more_queries_for_more_players(
    as_ann, ann, django_assert_max_num_queries
):
    now = server_now()
    few, many = club_of(ann, now=now), club_of(ann, now=now, name="Many")
    for club, count in ((few, 2), (many, 12)):
        people = [PersonFactory(username=f"{club.slug}{number}") for number in range(count)]
        for person in people:
            ask_for_membership(club_id=club.pk, user=person, now=now)
            admit(club_id=club.pk, person=person, by=ann, now=now)
        join(club, *people, ann, now=now)
        for above, below in pairwise(people):
            begin(club, below, above, now=now)
    as_ann.get("/rules/")
    for club in (few, many):
        with django_assert_max_num_queries(8):
            assert as_ann.get(addresses(club)[0]).status_code == 200
        with django_assert_max_num_queries(16):
            assert as_ann.get(club.get_absolute_url()).status_code == 200


# Letters and moderators --------------------------------------------------------------------------


def letters(now):
    """Write and send the letters that are due; return those of ladders by their reader's name."""
    mail.outbox.clear()
    tell_ladders(now=now)
    send_due(now=now)
    found = [one for one in mail.outbox if one.extra_headers["X-Pli-Kind"] == "ladder"]
    return {one.to[0].partition("@")[0]: one for one in found}


def test_its_letters_name_the_club_and_lead_to_its_page(club, bob, cat, dan, now):
    challenge = call(club, cat, bob, now=now)
    (letter,) = letters(now).values()
    assert letter.subject == "cat vous défie sur l’échelle de Morpion du club Round Table"
    page = addresses(club)[0]
    assert f"{page}\n" in letter.body
    assert f'{page}"' in html_of(letter)
    decline_challenge(challenge_id=challenge.pk, user=bob, now=now)
    (letter,) = letters(now).values()
    wanted = "The challenge with bob on the ladder of Morpion in the club Round Table is over"
    assert letter.subject == wanted
    assert page in letter.body
    assert "on ladder" not in letter.body.replace(wanted, "")  # it would be the site's
    call(club, dan, cat, now=now)
    letters(now)
    leave_club(club_id=club.pk, user=cat, now=now)
    found = letters(now)
    assert "/clubs/round-table/ladders/" not in found["cat"].body  # cat cannot open it any more
    assert f"{club.get_absolute_url()}\n" in found["cat"].body
    assert page in found["dan"].body


def test_a_letter_about_a_lost_place_leads_who_left_the_club_to_the_club(
    club, bob, cat, moderator, now
):
    for person in (bob, cat):
        own = LadderPlace.objects.get(user=person)
        remove_from_ladder(place_id=own.pk, by=moderator, why="cheated", now=now)
    leave_club(club_id=club.pk, user=cat, now=now)
    found = letters(now)
    assert "/clubs/round-table/ladders/" not in found["cat"].body
    assert f"{club.get_absolute_url()}\n" in found["cat"].body
    assert f"{addresses(club)[0]}\n" in found["bob"].body


def test_a_moderator_removes_somebody_and_the_letter_says_from_where(
    client, club, bob, moderator, now
):
    own = LadderPlace.objects.get(user=bob)
    remove_from_ladder(place_id=own.pk, by=moderator, why="cheated", now=now)
    assert order(club=club) == ["cat", "dan"]
    entry = ModerationLogEntry.objects.get(what="remove-from-ladder")
    assert entry.details == {"ladder": SLUG, "club": club.pk}
    letter = letters(now)["bob"]
    assert letter.subject == "Vous n’êtes plus sur l’échelle de Morpion du club Round Table"
    assert "cheated" in letter.body
    assert "rejoindre l’échelle" not in letter.body
    join(club, bob, now=now)
    assert order(club=club) == ["cat", "dan", "bob"]


def test_a_moderator_who_is_a_member_removes_and_annuls_on_its_page(
    client, club, ann, bob, cat, dan, moderator, now
):
    ask_for_membership(club_id=club.pk, user=moderator, now=now)
    admit(club_id=club.pk, person=moderator, by=ann, now=now)
    client.force_login(moderator)
    ladder, _ = addresses(club)
    assert "Moderate this ladder" in text_of(client, ladder)
    url, why = reverse("moderate_ladder", args=[SLUG]), {"why": "cheated"}
    challenge = begin(club, dan, cat, now=now)
    assert client.post(url, {"game": challenge.game_id, **why}).url == ladder
    assert Game.objects.get().status == "aborted"
    own = LadderPlace.objects.get(user=bob)
    assert client.post(url, {"place": own.pk, **why}).url == ladder
    assert order(club=club) == ["cat", "dan"]


def test_moderators_see_whose_a_ladder_is_and_remove_players_in_the_admin(
    client, club, ann, bob, cat, moderator, now
):
    join(None, ann, now=now)
    begin(club, cat, bob, now=now)
    client.force_login(moderator)
    for model in ("ladder", "ladderplace", "ladderchallenge"):
        shown = text_of(client, reverse(f"admin:games_{model}_changelist"))
        assert "Round Table" in shown
    own, on_site = (LadderPlace.objects.get(user=person) for person in (bob, ann))
    listed = reverse("admin:games_ladderplace_changelist")
    of_club = text_of(client, f"{listed}?ladder={own.ladder_id}")
    assert of_club.count("Morpion in the club Round Table") == 4  # three places, and to choose
    path = reverse("admin:games_ladderplace_do", args=[own.pk, "remove"])
    change = reverse("admin:games_ladderplace_change", args=[own.pk])
    assert path in text_of(client, change)
    assert client.post(path, {"why": "cheated", "confirmed": "yes"}).status_code == 302
    assert order(club=club) == ["cat", "dan"]
    assert LadderPlace.objects.get(user=bob).removed_because == "cheated"
    assert path not in text_of(client, change)
    on_site.refresh_from_db()
    assert on_site.place == 1
