"""French readers read French on every page; English readers English."""

import re

import pytest
from django.conf import settings
from django.urls import reverse

from accounts.models import SecurityEvent, User
from accounts.security_log import record
from games.models import Game
from games.rules.registry import all_rules, rules_for
from games.services import endings, invitations, offers, thinking
from tests.factories import PersonFactory
from tests.games.play import begin, play, play_all, table
from tests.house.languages import (
    CATALOG,
    LANGUAGES,
    OF,
    assert_speaks,
    forms,
    full_table,
    seen,
    sent,
)

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


# People and games ----------------------------------------------------------------------------


def page_of(game):
    return game.get_absolute_url()


def assert_page(house, answer, status=200):
    assert answer.status_code == status
    html = answer.content.decode()
    assert f'<html lang="{house.language}"' in html
    assert_speaks(house.language, seen(html))


def one_turn(rules, position):
    """Return the first turn that comes to mind."""
    begun, actions = position, []
    while rules.turn(position) == rules.turn(begun):
        actions.append(rules.legal_actions(position)[0])
        position = rules.play(position, actions[-1])
    return rules.format_turn(begun, actions)


# Typography ----------------------------------------------------------------------------------


def test_french_sentences_are_set_as_french_is():
    """No-break spaces inside « » and before : ; ! ? », and ’ for every apostrophe."""
    said = [text for message in CATALOG if message.id for text in forms(message.string)]
    assert len(said) > len(OF["fr"])
    assert [text for text in said if re.search(r" [:;!?»]|« |'|\.\.\.", text)] == []


def test_the_subject_of_a_mail_is_in_its_readers_language(house):
    subjects = [text.splitlines()[0] for _, text in sent(house.now)]
    assert len(subjects) == 2
    begins = {"en": "Morpion with ", "fr": "Morpion avec "}[house.language]
    assert all(subject.startswith(begins) for subject in subjects)


# Pages ---------------------------------------------------------------------------------------


def test_the_first_page_of_a_stranger(client):
    for language in LANGUAGES:
        answer = client.get("/", headers={"accept-language": language})
        assert_speaks(language, seen(answer.content.decode()))


def test_home_with_games_of_every_state(house):
    now = house.now
    begin(house.other, house.reader, now=now, slug="taquet")
    play_all(begin(house.reader, house.other, now=now), "51", now=now)
    for ending in ("51423", "512374698"):
        play_all(begin(house.reader, house.other, now=now), ending, now=now)
    asked = table(house.other, now=now)
    invitations.challenge(game_id=asked.pk, by=house.other, user=house.reader, now=now)
    table(house.reader, now=now)
    assert_page(house, house.get("/"))
    assert_page(house, house.get(house.reader.get_absolute_url()))


@pytest.mark.parametrize("rules", all_rules(), ids=lambda rules: rules.slug)
def test_the_pages_of_every_game(house, rules):
    assert_page(house, house.get(reverse("rules_page", args=[rules.slug])))
    assert_page(house, house.get(reverse("new_table") + f"?game={rules.slug}"))
    game = full_table(house, rules)
    assert_page(house, house.get(page_of(game)))
    first = one_turn(rules, rules.load(game.position))
    answer = house.post(
        reverse("game_play", args=[game.pk]), text=first, expected_turn=0, step="preview"
    )
    assert_page(house, answer)
    answer = house.post(reverse("game_play", args=[game.pk]), text=first, expected_turn=0)
    assert_page(house, answer)
    assert_page(house, house.get(reverse("game_turn", args=[game.pk, 0])))


@pytest.mark.parametrize(
    ("slug", "before", "text"),
    [
        ("morpion", [], "x"),
        ("morpion", ["5", "1"], "5"),
        ("morpion", [], "5" * 500),
        ("super-morpion", [], "x"),
        ("super-morpion", ["15", "51"], "95"),
        ("super-morpion", ["55", "51", "15"], "55"),
        ("taquet", [], "x"),
        ("taquet", ["b3", "a1"], "a1"),
        ("taquet", ["b3", "a1"], "b2"),
        ("taquet", ["b3", "a1"], "a1-a2"),
        ("taquet", ["b3", "a1"], "b3-b1"),
        ("taquet", ["b3", "a1"], "Tb2"),
        ("taquet", ["b3", "a1"], "Ta3"),
        ("taquet", ["b3", "Ta2"], "Tb2"),
        ("taquet", ["b3", "a1", "c1", "a2", "c3", "c2"], "a3"),
        ("morpiae", [], "x"),
        ("morpiae", [], "zz99"),
        ("morpiae", [], "a1-b9"),
        ("morpiae", [], "l9"),
        ("morpiae", [], "a1"),
        ("morpiae", [], "a1-e1"),
        ("morpiae", ["i12-m12"], "i12-m12"),
        ("morpiae", ["i12-m12"], "h12-l12"),
    ],
)
def test_a_refused_turn(house, slug, before, text):
    game = play_all(
        begin(house.reader, house.other, now=house.now, slug=slug), before, now=house.now
    )
    mover = game.seats.get(number=game.seat_to_move).user
    house.client.force_login(mover)
    answer = house.post(
        reverse("game_play", args=[game.pk]), text=text, expected_turn=game.turn_number
    )
    assert_page(house, answer, 422)
    assert answer.context["refusal"].sentence


@pytest.mark.parametrize(
    "text",
    ["x", "z9-z11", "e1-e3", "e9-e11", "b12-d12", "e3-e4", "e3-e5", "e3-e1", "e3xg5", "e3-e5=R"],
)
def test_a_turn_refused_among_four(house, text):
    game = full_table(house, rules_for("superpion"))
    answer = house.post(reverse("game_play", args=[game.pk]), text=text, expected_turn=0)
    assert_page(house, answer, 422)
    assert answer.context["refusal"].sentence


@pytest.mark.parametrize("variant", ["four", "teams", "three"])
def test_the_page_of_a_game_that_somebody_has_left(house, variant):
    game = full_table(house, rules_for("superpion"), variant=variant)
    play(game, house.reader, "e3-e5, m3-m5", now=house.now)
    endings.resign(game_id=game.pk, user=house.other, now=house.now)
    assert_page(house, house.get(page_of(game)))
    assert_page(house, house.post(reverse("game_resign", args=[game.pk])))


def test_out_of_turn_stale_and_strangers_turns(house):
    theirs = begin(house.other, house.reader, now=house.now)
    playing = reverse("game_play", args=[house.mine.pk])
    house.post(playing, text="5", expected_turn=0)
    assert_page(house, house.post(playing, text="1", expected_turn=0), 409)
    assert_page(house, house.post(playing, text="1", expected_turn=1), 409)
    house.client.force_login(PersonFactory(username="kim", language=house.language))
    answer = house.post(reverse("game_play", args=[theirs.pk]), text="1", expected_turn=0)
    assert_page(house, answer, 403)


def test_offers_and_what_the_page_says_after_them(house):
    game = house.mine
    assert_page(house, house.post(reverse("game_offer", args=[game.pk])))
    answering = reverse("game_answer_offer", args=[game.pk])
    assert_page(house, house.post(answering, answer="withdraw"))
    offers.offer_end(game_id=game.pk, user=house.other, now=house.now)
    assert_page(house, house.get(page_of(game)))
    assert_page(house, house.post(answering, answer="decline"))
    play(game, house.reader, "5", now=house.now)
    offers.offer_end(game_id=game.pk, user=house.other, now=house.now)
    assert_page(house, house.post(answering, answer="accept"))


@pytest.mark.parametrize("end", ["resign", "abort"])
def test_the_end_of_a_game_and_its_rematch(house, end):
    assert_page(house, house.post(reverse(f"game_{end}", args=[house.mine.pk])))
    assert_page(house, house.post(reverse("game_rematch", args=[house.mine.pk])))


def test_a_game_with_the_practice_partner(house):
    game = table(house.reader, now=house.now)
    invitations.ask_partner(game_id=game.pk, by=house.reader, now=house.now)
    assert_page(house, house.get(page_of(game)))
    thinking.play_for_bots(now=house.now)
    html = house.get(page_of(game)).content.decode()
    name = {"en": "Practice partner", "fr": "Partenaire d’entraînement"}
    assert f"<bdi>{name[house.language]}</bdi>" in html


def test_tables_asked_for_refused_withdrawn_and_left(house):
    new = {"game": "morpion", "days": 3, "creator_seat": ""}
    for whom, name, status in [
        ("anybody", "", 200),
        ("player", "", 422),
        ("player", "nobody", 422),
        ("address", "nowhere", 422),
        ("address", "eve@example.org", 200),
    ]:
        answer = house.post(reverse("new_table"), **new, whom=whom, name=name)
        assert_page(house, answer, status)
    made = Game.objects.filter(creator=house.reader, status=Game.Status.OPEN).latest("pk")
    assert_page(house, house.post(reverse("table_withdraw", args=[made.pk])))
    assert_page(house, house.get(page_of(made)))
    house.client.force_login(house.other)
    assert_page(house, house.get(reverse("lobby")))
    assert_page(house, house.get(reverse("new_table")))


def test_an_invitation_by_link_answered_by_a_stranger(house):
    asked = table(house.reader, now=house.now)
    invitation = invitations.invite(
        game_id=asked.pk, by=house.reader, email="eve@example.org", now=house.now
    )
    house.client.logout()
    house.client.cookies[settings.LANGUAGE_COOKIE_NAME] = house.language
    token = invitations.link_token(invitation)
    assert_page(house, house.get(reverse("invitation", args=[token])))
    answering = reverse("invitation_answer", args=[token])
    assert_page(house, house.post(answering, answer="decline"))
    assert_page(house, house.post(answering, answer="decline"), 409)
    assert_page(house, house.get(reverse("invitation", args=["x"])), 404)


@pytest.mark.parametrize(
    "name",
    [
        "profile_edit",
        "mail_preferences",
        "account_email",
        "account_change_password",
        "mfa_index",
        "usersessions_list",
        "sign_ins",
        "account_logout",
        "account_reauthenticate",
    ],
)
def test_settings(house, name):
    assert_page(house, house.get(reverse(name)))


@pytest.mark.parametrize("kind", SecurityEvent.Kind)
def test_what_happened_to_an_account(house, kind):
    details = {"method": "code", "factor": "totp", "new_device": True, "former": "x"}
    for more in ({"again": True}, {"by_staff": True}):
        record(kind, user=house.reader, request=None, now=house.now, **details, **more)
    house.reader.security_events.update(times=3)
    page = house.get(reverse("sign_ins"))
    assert_page(house, page)
    assert {"en": "3 times", "fr": "3 fois"}[house.language] in page.text


def test_a_session_that_has_ended_and_a_code_instead_of_a_password(house, settings):
    house.reader.set_unusable_password()
    house.reader.save()
    house.client.force_login(house.reader)
    path = reverse("reauthenticate_by_code")
    assert_page(house, house.get(path))
    house.post(path, action="send")
    assert_page(house, house.get(path))
    for is_staff in (False, True):
        User.objects.filter(pk=house.reader.pk).update(is_staff=is_staff)
        house.client.force_login(house.reader)
        session = house.client.session
        session["signed_in_at"] = 0
        session.save()
        house.client.cookies[settings.LANGUAGE_COOKIE_NAME] = house.language
        assert_page(house, house.client.get(reverse("profile_edit"), follow=True))


@pytest.mark.parametrize("name", ["mfa_activate_totp", "mfa_add_webauthn"])
def test_second_steps(house, name):
    house.post(reverse("account_reauthenticate"), password="secret")
    assert_page(house, house.get(reverse(name)))


def test_settings_that_are_saved_or_refused(house):
    saved = {"display_name": "", "language": house.language, "time_zone": "Europe/Paris"}
    assert_page(house, house.post(reverse("profile_edit"), **saved))
    assert_page(house, house.post(reverse("profile_edit"), **saved | {"display_name": "max"}))
    assert_page(house, house.post(reverse("profile_edit"), **saved | {"time_zone": "Mars"}))


@pytest.mark.parametrize(
    "name",
    ["account_login", "account_signup", "account_reset_password", "account_request_login_code"],
)
def test_ways_in(house, name):
    house.client.logout()
    house.client.cookies[settings.LANGUAGE_COOKIE_NAME] = house.language
    assert_page(house, house.get(reverse(name)))
    wrong = {"login": "zoe", "password": "x", "username": "zoe", "password1": "x", "email": "x"}
    assert_page(house, house.post(reverse(name), **wrong))


def test_nothing_at_this_address(house):
    assert_page(house, house.get("/nowhere/"), 404)
    assert_page(house, house.get("/unsubscribe/x/"), 404)
