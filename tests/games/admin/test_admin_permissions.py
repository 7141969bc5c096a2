"""The table of permissions: every act of moderation, tried by everybody, in the admin itself."""

import pytest
from allauth.mfa.models import Authenticator
from django.contrib.auth.models import Group, Permission
from django.contrib.contenttypes.models import ContentType
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from games.models import Message, ModerationLogEntry
from games.moderation import people, reports
from games.moderation.action_names import GameAction
from games.moderation.admin.game_actions import GAME_ACTIONS
from games.moderation.admin.reports import REPORT_ACTIONS
from games.moderation.admin.user_actions import USER_ACTIONS
from games.services.conduct.messages import say
from games.services.conduct.reports import report_message
from tests.factories import PersonFactory, StaffFactory
from tests.games.moderating import WHY, all_game_actions, lose_on_time
from tests.games.multiplayer import gather, play_on
from tests.games.play import DAY, begin, database, undone

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

WHO = ("nobody", "player", "bare", "moderator", "host")
"""Signed out, a player, a moderator without a second factor, a moderator, an administrator."""
LOGIN, FACTOR, DENIED, REFUSED, DONE = "login", "second factor", "denied", "refused", "done"
CLOSED = (LOGIN, LOGIN, FACTOR)

#                         nobody, player, bare, moderator, host
GAMES = {deed.value: (*CLOSED, DONE, DONE) for deed in GameAction}
ABOUT_PEOPLE = {
    "warn": (*CLOSED, DONE, DONE),
    "mute": (*CLOSED, DONE, DONE),
    "suspend": (*CLOSED, DONE, DONE),
    "ban": (*CLOSED, DONE, DONE),
    "lift": (*CLOSED, DONE, DONE),
    "rename": (*CLOSED, DONE, DONE),
    "role": (*CLOSED, REFUSED, DONE),
}
ABOUT_REPORTS = {
    "take": (*CLOSED, DONE, DONE),
    "close": (*CLOSED, DONE, DONE),
    "hand-over": (*CLOSED, DONE, DONE),
    "hide-message": (*CLOSED, DONE, DONE),
    "show-message": (*CLOSED, DONE, DONE),
}


def cells(table):
    return [
        pytest.param(name, dict(zip(WHO, columns, strict=True)), id=name)
        for name, columns in table.items()
    ]


@pytest.fixture
def now():
    return timezone.now()


@pytest.fixture
def staff(db):
    """Everybody of the table who is signed in."""
    bare = StaffFactory(username="bare", role="Moderators")
    Authenticator.objects.filter(user=bare).delete()
    return {
        "player": PersonFactory(username="player"),
        "bare": bare,
        "moderator": StaffFactory(username="moderating", role="Moderators"),
        "host": StaffFactory(username="hosting", role="Hosts"),
    }


@pytest.fixture
def attempt(client, staff):
    """Return what asks for something as somebody, tells what came of it, and takes it back."""

    def send(who, path, data=None):
        client.logout()
        if who != "nobody":
            client.force_login(staff[who])
        with undone():
            return outcome(who, path, data)

    def outcome(who, path, data):
        before, acts = database(), ModerationLogEntry.objects.count()
        answer = client.post(path, {"why": WHY, "confirmed": "yes"} | (data or {}))
        if ModerationLogEntry.objects.count() > acts:
            assert ModerationLogEntry.objects.order_by("-number").first().by == staff[who]
            return DONE
        assert database() == before
        if answer.status_code == 403:
            return DENIED
        assert answer.status_code == 302, answer.content.decode()
        where = answer["Location"]
        if where == reverse("mfa_index"):
            return FACTOR
        return LOGIN if where.startswith((reverse("admin:login"), "/accounts/login")) else REFUSED

    return send


@pytest.fixture
def attempt_all(attempt):
    """Return what lets everybody ask for the same, and tells what came of it for each."""

    def send(path, data=None):
        return {who: attempt(who, path, data) for who in WHO}

    return send


def test_the_table_knows_every_act():
    assert set(GAMES) == {action.slug for action in GAME_ACTIONS}
    assert set(ABOUT_PEOPLE) == {action.slug for action in USER_ACTIONS}
    assert set(ABOUT_REPORTS) == {action.slug for action in REPORT_ACTIONS}


# Games -----------------------------------------------------------------------------------------

FIRST = {
    "resume": "pause",
    "make-public": "make-private",
    "open-conversation": "close-conversation",
}
SENT = {
    "add-time": {"days": "1", "hours": "0"},
    "adjudicate": {f"place_{seat}": str(seat + 1) for seat in range(4)},
    "withdraw": {"seat": "1"},
    "substitute": {"seat": "1", "player": "zoe", "name": "zoe", "username": "zoe"},
    "take-back": {"turn": "0"},
}


@pytest.mark.parametrize(("name", "expected"), cells(GAMES))
def test_who_may_act_on_a_game(attempt_all, ann, bob, cat, mo, now, name, expected):
    four = gather([ann, bob, cat, PersonFactory(username="dan")], now=now)
    game, zoe = play_on(four, 3, now=now), PersonFactory(username="zoe")
    if name in FIRST:
        all_game_actions(game, zoe, DAY)[FIRST[name]](by=mo, why=WHY, now=now)
    if name == "reopen":
        lose_on_time(game, now=now)
    path = reverse("admin:games_game_do", args=[game.pk, name])
    assert attempt_all(path, SENT.get(name)) == expected


# People ----------------------------------------------------------------------------------------


def sent_about(name, until, sanction):
    return {
        "suspend": {"until": until},
        "ban": {"running": "withdraw"},
        "lift": {"sanction": str(sanction)},
        "rename": {"username": "anna"},
        "role": {"role": "moderator"},
    }.get(name, {})


def do_to(person, name, attempt, who, mo, now):
    """Try an act on a person; one that lifts something needs something to lift."""
    sanction = 0
    if name == "lift":
        sanction = people.mute_user(person_id=person.pk, by=mo, why=WHY, until=None, now=now).pk
    until = f"{now + DAY:%Y-%m-%dT%H:%M}"
    path = reverse("admin:accounts_user_do", args=[person.pk, name])
    return attempt(who, path, sent_about(name, until, sanction))


@pytest.mark.parametrize(("name", "expected"), cells(ABOUT_PEOPLE))
def test_who_may_act_on_a_player(attempt, ann, mo, now, name, expected):
    found = {}
    for who in WHO:
        with undone():
            found[who] = do_to(ann, name, attempt, who, mo, now)
    assert found == expected


@pytest.mark.parametrize("name", [name for name in ABOUT_PEOPLE if name not in ("lift", "role")])
@pytest.mark.parametrize(("who", "expected"), [("moderator", REFUSED), ("host", DONE)])
def test_only_hosts_act_on_moderators(attempt, mo, now, name, who, expected):
    other = StaffFactory(username="other", role="Moderators")
    assert do_to(other, name, attempt, who, mo, now) == expected


@pytest.mark.parametrize("name", [name for name in ABOUT_PEOPLE if name != "lift"])
@pytest.mark.parametrize("who", ["moderator", "host"])
def test_nobody_acts_on_who_may_do_everything_or_on_themselves(
    attempt, staff, moderator, mo, now, name, who
):
    for person in (moderator, staff[who]):
        assert do_to(person, name, attempt, who, mo, now) == REFUSED


# Reports ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(("name", "expected"), cells(ABOUT_REPORTS))
def test_who_may_act_on_a_report(attempt_all, ann, bob, mo, now, name, expected):
    game = begin(ann, bob, now=now)
    said = say(game_id=game.pk, user=bob, text="Fool", via=Message.Via.WEB, now=now)
    made = report_message(message_id=said.pk, reporter=ann, reason="abuse", text="x", now=now)
    if name == "show-message":
        reports.hide_message(message_id=said.pk, by=mo, why=WHY, now=now)
    sent = {"close": {"outcome": "upheld", "answer": "Thanks."}, "hand-over": {"to": "mo"}}
    path = reverse("admin:games_report_do", args=[made.pk, name])
    assert attempt_all(path, sent.get(name)) == expected
    if name in ("hide-message", "show-message"):
        Message.objects.update(hidden_at=now if name == "show-message" else None)
        path = reverse("admin:games_message_do", args=[said.pk, name])
        assert attempt_all(path) == expected


# Looking, and accounts -------------------------------------------------------------------------

#                                 nobody, player, bare, moderator, host
LOOKING = {
    "games_game_changelist": (*CLOSED, 200, 200),
    "games_report_changelist": (*CLOSED, 200, 200),
    "games_message_changelist": (*CLOSED, 200, 200),
    "games_moderationlogentry_changelist": (*CLOSED, 200, 200),
    "accounts_user_changelist": (*CLOSED, 200, 200),
    "accounts_user_change": (*CLOSED, 200, 200),
    "accounts_user_account": (*CLOSED, 403, 200),
    "accounts_user_add": (*CLOSED, 403, 200),
    "accounts_user_delete": (*CLOSED, 403, 403),
    "auth_user_password_change": (*CLOSED, 403, 403),
    "auth_group_changelist": (*CLOSED, 403, 403),
    "mfa_authenticator_changelist": (*CLOSED, 403, 403),
}


@pytest.mark.parametrize(("name", "expected"), cells(LOOKING))
def test_who_may_look_at_what(client, staff, ann, name, expected):
    about = name.endswith(("_change", "_account", "_delete"))
    path = reverse(f"admin:{name}", args=[ann.pk] if about else [])
    found = {}
    for who in WHO:
        client.logout()
        if who != "nobody":
            client.force_login(staff[who])
        answer = client.get(path)
        found[who] = answer.status_code
        if found[who] == 302:
            found[who] = FACTOR if answer["Location"] == reverse("mfa_index") else LOGIN
    assert found == expected


def test_moderators_see_no_address_and_nobody_sees_a_secret(client, staff, ann):
    ann.authenticator_set.create(type="totp", data={"secret": "JBSWY3DPEHPK3PXP"})
    path = reverse("admin:accounts_user_change", args=[ann.pk])
    for who, sees in (("moderator", False), ("host", True)):
        client.force_login(staff[who])
        page = client.get(path).text
        assert (ann.email in page) == sees
        assert ann.password not in page
        assert "JBSWY3DPEHPK3PXP" not in page


@pytest.mark.parametrize("given", [{"is_staff": "on"}, {"is_superuser": "on"}, {"username": "x"}])
def test_a_host_changes_neither_roles_nor_names_behind_the_logs_back(client, staff, ann, given):
    client.force_login(staff["host"])
    path = reverse("admin:accounts_user_account", args=[ann.pk])
    sent = {"display_name": "Annie", "is_active": "on"} | given
    assert client.post(path, sent).status_code == 200  # nobody said why
    assert client.post(path, sent | {"why": WHY}).status_code == 302
    changed = User.objects.get(pk=ann.pk)
    assert (changed.is_staff, changed.is_superuser, changed.username) == (False, False, "ann")
    assert (changed.display_name, changed.is_active) == ("Annie", True)
    act = ModerationLogEntry.objects.get()
    assert (act.what, act.by, act.person, act.why) == ("account", staff["host"], ann, WHY)
    assert act.details == {"changed": {"display_name": "Annie"}}


def test_a_host_is_not_shown_the_account_of_who_may_do_everything(client, staff, moderator):
    client.force_login(staff["host"])
    path = reverse("admin:accounts_user_account", args=[moderator.pk])
    assert client.get(path).status_code == client.post(path, {"why": WHY}).status_code == 403


def test_an_account_that_stays_as_it_was_is_no_act(client, staff, ann):
    client.force_login(staff["host"])
    path = reverse("admin:accounts_user_account", args=[ann.pk])
    sent = {"display_name": ann.display_name, "is_active": "on", "why": WHY}
    assert "Nothing was done: Nothing to change" in client.post(path, sent, follow=True).text
    assert not ModerationLogEntry.objects.exists()


def test_moderators_are_offered_what_they_may_do(client, staff, ann):
    path = reverse("admin:accounts_user_change", args=[ann.pk])
    for who, sees in (("moderator", False), ("host", True)):
        client.force_login(staff[who])
        page = client.get(path).text
        assert reverse("admin:accounts_user_do", args=[ann.pk, "warn"]) in page
        assert (reverse("admin:accounts_user_do", args=[ann.pk, "role"]) in page) == sees


def test_groups_keep_the_permission_to_read_the_log_from_before_its_model_was_renamed(client):
    former, _ = ContentType.objects.get_or_create(app_label="games", model="act")
    permission, _ = Permission.objects.get_or_create(
        content_type=former, codename="view_act", defaults={"name": "Can view act of moderation"}
    )
    reader = StaffFactory(username="reader")
    group = Group.objects.create(name="Readers")
    group.permissions.add(permission)
    path = reverse("admin:games_moderationlogentry_changelist")
    client.force_login(reader)
    assert client.get(path).status_code == 403
    reader.groups.add(group)
    assert client.get(path).status_code == 200
