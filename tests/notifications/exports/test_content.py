"""What is in an export, what is not, and that nothing that refers to a user was forgotten."""

import json
from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.apps import apps
from django.db import models
from django.urls import reverse
from django.utils import timezone

from accounts.api_tokens import create_token
from accounts.models import Block, Follow, Program, SecurityEvent, User
from accounts.programs import create_program
from games.models import (
    Game,
    GamePresence,
    Invitation,
    Message,
    Mute,
    PlannedTurn,
    Puzzle,
    PuzzleAttempt,
    Seat,
    Substitution,
)
from games.moderation import people
from games.queries.record_files import check_record_file
from games.services import offers
from games.services.clubs.announcements import announce
from games.services.clubs.clubs import open_club
from games.services.clubs.matches import enter_match
from games.services.clubs.members import ask_for_membership
from games.services.conduct.messages import say
from games.services.conduct.reports import report_person
from games.services.invitations import challenge
from games.services.ladders.challenges import challenge_player
from games.services.ladders.places import join_ladder
from games.services.leagues.entries import join_season
from games.services.leagues.teams import invite_partner
from games.services.puzzles import answer_puzzle, make_puzzles
from games.services.ratings import rate_due
from games.services.tournaments.entries import join_tournament
from notifications.exports.account_data import NOT_IN_PROFILE, PROFILE
from notifications.exports.coverage import EXPORTED, NOT_EXPORTED
from notifications.models import DigestSchedule, IncomingMail, Notice, PushSubscription, Webhook
from notifications.services.preferences import subscribe_to_puzzles
from tests.factories import PersonFactory
from tests.games.leagues.simulation import open_morpion, open_superpion
from tests.games.play import begin, play, table
from tests.games.test_ratings import lost
from tests.games.wishes.making import wish_for
from tests.notifications.exports.reading import exported
from tests.permissions.blanks import club_of_ann, match_of_ann, open_tournament_of
from tests.sample_site import SECRET_ADDRESSES, populate

pytestmark = pytest.mark.django_db

OWN_WORDS = "my own words"
RESOLD = "cat resells her seats"


def take_part(site, now):
    """Let ann take part in every kind of competition."""
    ann, bob = site.ann, site.bob
    open_morpion(now)
    join_season(rules_slug="morpion", user=ann, now=now)
    open_superpion(now)
    invite_partner(rules_slug="superpion", user=bob, partner=ann, now=now)
    wish_for(ann, now=now)
    for person in (bob, ann):
        join_ladder(rules_slug="morpion", user=person, now=now)
    challenge_player(rules_slug="morpion", user=ann, opponent=bob, now=now)
    [tournament] = open_tournament_of(site)
    join_tournament(tournament_id=tournament, user=ann, now=now)
    [match] = match_of_ann(site)
    club = club_of_ann(site).pk
    enter_match(match_id=match, club_id=club, user=ann, now=timezone.now())
    announce(club_id=club, user=ann, text="Dear members", now=now)
    asked = open_club(user=bob, name="Bob’s club", now=now)
    ask_for_membership(club_id=asked.pk, user=ann, now=now)


@pytest.fixture
def site():
    """The sample site, in which there is also one of everything that ann can have."""
    now = timezone.now()
    site = populate(now=now)
    ann, bob, cat = site.ann, site.bob, site.cat
    say(game_id=site.public.pk, user=ann, text=OWN_WORDS, via=Message.Via.WEB, now=now)
    report_person(person=ann, reporter=cat, reason="abuse", text=RESOLD, now=now)
    people.warn_user(person_id=ann.pk, by=site.mona, why="be polite", now=now)
    Block.objects.create(by=ann, of=site.dan, at=now)
    Block.objects.create(by=cat, of=ann, at=now)
    Follow.objects.create(by=ann, of=bob, at=now)
    Follow.objects.create(by=cat, of=ann, at=now)
    challenge(game_id=table(bob, now=now).pk, by=bob, user=ann, now=now)
    offers.offer_pause(game_id=site.private.pk, user=ann, days=7, now=now)
    game = begin(ann, cat, now=now)
    Mute.objects.create(user=ann, seat=game.seats.get(user=cat), at=now)
    PlannedTurn.objects.create(
        game=game,
        user=ann,
        begins_after=1,
        line=["5"],
        notation="1",
        key="0" * 64,
        planned_at=now,
    )
    PlannedTurn.objects.create(
        game=game,
        user=cat,
        begins_after=0,
        line=["7"],
        notation="8",
        key="0" * 64,
        planned_at=now,
    )
    make_puzzles(now=now)
    solution = Puzzle.objects.get(day=now.date()).answer
    answer_puzzle(day=now.date(), user=ann, text=solution, now=now)
    taken = Seat.objects.get(game=begin(cat, bob, now=now), user=bob)
    Substitution.objects.create(seat=taken, former=ann, by=bob, at=now)
    GamePresence.objects.create(user=ann, game=game, seen_at=now)
    Game.objects.filter(pk=site.open_table.pk).update(options={"of": "a table"})
    DigestSchedule.objects.create(user=ann, later_hours=5)
    Authenticator.objects.create(
        user=ann, type="webauthn", data={"name": "blue key", "credential": "passkey-secret"}
    )
    SecurityEvent.objects.create(user=ann, kind="sign-in", at=now, details={"method": "code"})
    IncomingMail.objects.create(
        user=ann,
        raw="turn 5, grüße".encode(),
        door="smtp",
        token_hash="2" * 64,
        sender="ann@example.org",
        digest="9" * 64,
        state="done",
        received_at=now,
    )
    session = UserSession.objects.create(
        user=ann, session_key="s" * 32, ip="192.0.2.1", user_agent="Firefox", data={}
    )
    PushSubscription.objects.create(
        user=ann,
        session=session,
        endpoint="https://push.example.org/1",
        p256dh="push-key",
        auth="push-secret",
        label="Firefox, Android",
        created_at=now,
    )
    Webhook.objects.create(
        user=ann, owner=ann, url="https://program.example.org/hook", created_at=now
    )
    take_part(site, now)
    subscribe_to_puzzles(user=ann, now=now)
    ann.groups.create(name="club")
    robot = create_program(owner=ann, username="robot")
    Program.objects.filter(user=robot).update(games=["taquet"], options={"taquet": {"a": ["b"]}})
    create_token(user=robot, name="server", scopes=["play"], expires_at=None, request=None, now=now)
    return site


@pytest.fixture
def files(site):
    other = PersonFactory()
    lost(begin(site.ann, other, now=timezone.now()), other, now=timezone.now())
    rate_due(seconds=60)
    return exported(site.ann, now=timezone.now())


def test_each_column_that_refers_to_a_user_is_exported_or_left_out_for_a_reason():
    """JSON columns too, which may name users. A new model must be put into one of the tables."""
    columns = {
        f"{model._meta.label}.{field.name}"
        for model in apps.get_models(include_auto_created=True)
        for field in model._meta.concrete_fields
        if field.related_model is User or isinstance(field, models.JSONField)
    }
    assert EXPORTED.keys() | NOT_EXPORTED.keys() == columns
    assert EXPORTED.keys() & NOT_EXPORTED.keys() == set()
    assert all(NOT_EXPORTED.values())


def test_each_column_of_a_user_is_exported_or_left_out_for_a_reason():
    columns = [field.name for field in User._meta.concrete_fields]
    assert sorted([*PROFILE, *NOT_IN_PROFILE]) == sorted(columns)


def test_what_is_said_to_be_exported_is_there(files):
    missing = []
    for column, place in EXPORTED.items():
        name, _, key = place.partition(": ")
        rows = files[name] if isinstance(files[name], list) else [files[name]]
        if not any(row.get(key) if key else row for row in rows):
            missing.append(column)
    assert missing == []


def test_the_readme_names_every_file(files):
    named = {
        line for line in files["README.txt"].splitlines() if line.endswith((".json", "games/"))
    }
    top = {name.partition("/")[0] + "/" * ("/" in name) for name in files}
    assert named == top - {"README.txt"}


def test_each_game_has_the_record_of_its_page(site, files, client):
    client.force_login(site.ann)
    listed = {game["game"]: game for game in files["games.json"]}
    assert {site.public.pk, site.private.pk, site.over.pk, site.open_table.pk} <= listed.keys()
    for game in (site.public, site.private, site.over):
        record = files[listed[game.pk]["record"]]
        assert record == client.get(reverse("download_record", args=[game.pk])).json()
    assert listed[site.open_table.pk]["record"] is None
    assert {name for name in files if name.startswith("games/")} == {
        game["record"] for game in listed.values() if game["record"]
    }
    check_record_file(json.dumps(files[listed[site.public.pk]["record"]]))
    mine = [seat for seat in listed[site.over.pk]["seats"] if seat["is_mine"]]
    assert [(seat["player"], seat["place"]) for seat in mine] == [("ann", 1)]


def test_a_game_that_a_substitute_took_over_is_there(files):
    (taken,) = files["account.json"]["substitutions"]
    assert f"games/morpion-{taken['game']}.json" in files


def test_a_game_that_somebody_plays_for_a_partner_is_there(ann, bob, cat, now):
    game = begin(bob, cat, now=now)
    game.seats.filter(user=cat).update(played_by_partner=ann)
    files = exported(ann, now=now)
    assert f"games/morpion-{game.pk}.json" in files
    (listed,) = files["games.json"]
    assert [seat["played_by_me_as_partner"] for seat in listed["seats"]] == [False, True]


def test_own_words_and_what_can_be_read_are_there(site, files):
    assert [said["text"] for said in files["messages.json"]] == [OWN_WORDS]
    said = {(said["game"], said["author"]) for said in files["conversations.json"]}
    assert said == {(site.public.pk, "bob"), (site.private.pk, "bob")}


@pytest.mark.parametrize("why", ["blocked", "muted", "hidden"])
def test_what_is_not_shown_on_the_pages_is_not_there(site, why):
    if why == "blocked":
        Block.objects.create(by=site.ann, of=site.bob, at=timezone.now())
    elif why == "muted":
        for game in (site.public, site.private):
            seat = game.seats.get(user=site.bob)
            Mute.objects.create(user=site.ann, seat=seat, at=timezone.now())
    else:
        Message.objects.update(hidden_at=timezone.now())
    files = exported(site.ann, now=timezone.now())
    assert files["conversations.json"] == []
    assert len(files["messages.json"]) == 1


def test_nothing_private_of_others_is_there(site, files):
    text = json.dumps(files, ensure_ascii=False)
    own = ("ann@example.org", "ann.second@example.org")
    assert [one for one in SECRET_ADDRESSES if one in text and one not in own] == []
    assert RESOLD not in text
    assert "somebody complained" not in text
    assert [plan["then"] for plan in files["plans.json"]] == ["1"]
    kept = [attempt.is_right for attempt in PuzzleAttempt.objects.filter(user=site.ann)]
    assert [attempt["right"] for attempt in files["account.json"]["puzzles"]] == kept
    assert len(kept) == 1
    assert [wish["rules_slug"] for wish in files["account.json"]["wishes"]] == ["morpion"]
    assert [own["place"] for own in files["account.json"]["ladders"]] == [2]
    assert [one["of"] for one in files["account.json"]["ladder_challenges"]] == ["bob"]
    assert files["account.json"]["puzzles_by_mail"]["newest_day"] is None
    assert "mona" not in text
    assert [block["player"] for block in files["account.json"]["blocks"]] == ["dan"]


def test_invitations_to_an_address_are_there_once_it_is_verified(ann, bob, now):
    email = EmailAddress.objects.create(user=ann, email="new@example.org", verified=False)
    game = table(bob, now=now)
    Invitation.objects.create(game=game, by=bob, email=email.email, created_at=now)

    def invitations():
        files = exported(ann, now=timezone.now())
        return [(one["game"], one["by_mail"]) for one in files["invitations.json"]]

    assert invitations() == []
    email.verified = True
    email.save()
    assert invitations() == [(game.pk, True)]


def test_a_stranger_gets_nothing_of_private_games(site):
    files = exported(site.cat, now=timezone.now())
    assert site.private.pk not in {game["game"] for game in files["games.json"]}
    assert files["conversations.json"] == []


def test_no_secret_is_there(site, files):
    Notice.objects.update(content={"text": "code 123456"})
    text = json.dumps(exported(site.ann, now=timezone.now()))
    hidden = [site.ann.password, site.feed, "passkey-secret", "code 123456"]
    hidden += ["push-key", "push-secret"]
    assert [secret for secret in hidden if secret in text] == []
    assert [one["name"] for one in files["account.json"]["second_factors"]] == ["blue key"]
    assert "session_key" not in text


def test_mails_are_there_as_they_came(files):
    assert [mail["text"] for mail in files["mail.json"]] == ["turn 5, grüße"]


def test_a_turn_that_was_exported_can_no_longer_be_undone(ann, bob):
    now = timezone.now()
    game = begin(ann, bob, now=now)
    play(game, ann, "5", now=now)
    game.refresh_from_db()
    assert game.undo_until > now
    assert exported(ann, now=now)
    game.refresh_from_db()
    assert game.undo_until is not None  # it is her own turn
    files = exported(bob, now=now + timedelta(seconds=1))
    assert len(files[f"games/morpion-{game.pk}.json"]["entries"]) == 1
    game.refresh_from_db()
    assert game.undo_until is None
