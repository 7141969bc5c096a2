"""What every kind of mail declares and says. A new kind is held to it by being there."""

import os
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from django.conf import settings
from django.core import mail

from accounts.models import User
from games.models import Event
from notifications import kinds
from notifications.kinds.base import MailKind, Purpose, all_kinds, kind_for, kind_of
from notifications.kinds.game_mail import GameMail
from notifications.kinds.registry import Kind
from notifications.mail_parser import MARKERS
from notifications.models import Cadence, Notice, ReplyAddress, SkipReason
from notifications.outbox.club_letters import tell_clubs
from notifications.outbox.scheduling import skip_reason
from notifications.outbox.staff_digests import write_staff_digest
from notifications.services import address_trials, addresses
from notifications.services.preferences import set_cadence
from tests.factories import PersonFactory, StaffFactory
from tests.games.clubs.meeting import club_of
from tests.house.languages import assert_speaks, seen
from tests.notifications.outgoing_mail import html_of, play, tell
from tests.notifications.replies.every_mail import letters_to

FOLDERS = Path(kinds.__file__).parent
each_kind = pytest.mark.parametrize("kind", all_kinds(), ids=lambda kind: kind.kind.value)


# What it declares ------------------------------------------------------------------------------


def test_every_line_of_the_registry_has_its_folder_and_every_folder_its_line():
    folders = {path.parent.name for path in FOLDERS.glob("*/kind.py")}
    assert folders == {kind.name.lower() for kind in Kind}
    assert [kind.kind for kind in all_kinds()] == list(Kind)


@each_kind
def test_a_kind_says_who_gets_it(kind):
    chooses = type(kind).recipients is not MailKind.recipients
    assert chooses is bool(kind.events), "recipients(event) is asked for each of its events"
    assert kind.events <= set(Event.Kind)
    assert all(kind_for(event) is kind for event in kind.events), "two kinds tell of one event"


@each_kind
def test_a_kind_says_whether_it_can_be_switched_off(kind):
    assert "can_be_switched_off" in vars(type(kind))
    assert not kind.cadences or Cadence.OFF in kind.cadences
    assert kind.can_be_switched_off or not kind.cadences
    assert kind.cadences or not kind.is_needed_to_play


@each_kind
def test_a_kind_says_what_a_reply_to_it_does(kind):
    assert kind.reply_purpose in Purpose
    is_answerable = kind.reply_purpose != Purpose.NOTHING
    assert is_answerable or not isinstance(kind, GameMail), "what is about a game can be answered"


def test_of_kinds_that_are_told_in_one_mail_one_leads():
    leading = [kind for kind in all_kinds() if kind.lead_rank is not None]
    assert set(Counter(kind.lead_rank for kind in leading).values()) == {1}
    assert all(isinstance(kind, GameMail) for kind in leading)


# What it says ----------------------------------------------------------------------------------


@pytest.fixture(params=["en", "fr"])
def language(request):
    return request.param


@pytest.fixture
def mails(language, db, now):
    """The newest mail of each kind, in one language, by the kind's value."""
    names = ("dora", "emil", "fay", "gus")
    people = [PersonFactory(username=name, language=language) for name in names]
    letters_to(people, now)
    StaffFactory(username="hal", role="Hosts", language=language)
    User.objects.update(language=language)
    write_staff_digest(now=now)
    club_of(*people[:2], now=now)
    tell_clubs(now=now)
    dora = people[0]
    addresses.suspend_address(address=dora.email, diagnostic="550", notice=None, now=now)
    address_trials.try_address(user=dora, address=dora.email, now=now)
    tell(now)
    return {sent.extra_headers["X-Pli-Kind"]: sent for sent in mail.outbox}


def test_every_kind_is_written_in_both_languages(mails, language):
    assert set(mails) == set(Kind)
    for kind, sent in mails.items():
        html = html_of(sent)
        assert sent.subject.strip(), kind
        assert "\n" not in sent.subject, kind
        assert len(sent.body.split()) > 5, kind
        assert f'<html lang="{language}">' in html, kind
        assert_speaks(language, f"{sent.subject}\n{sent.body}\n{seen(html)}")


@pytest.mark.parametrize("language", ["en"], indirect=True)
def test_every_mail_does_what_its_kind_declares(mails):
    for value, sent in mails.items():
        kind, headers = kind_of(value), sent.extra_headers
        notice = Notice.objects.get(message_id=headers["Message-ID"])
        assert sent.to == [notice.address], value
        assert ("List-Unsubscribe" in headers) is kind.can_be_switched_off, value
        reply_to = headers.get("Reply-To", "")
        assert any(marker in sent.body for marker in MARKERS) is bool(reply_to), value
        about = ReplyAddress.objects.filter(notice=notice).latest("pk").purpose
        assert bool(reply_to) is (about != Purpose.NOTHING), value
        assert kind.reply_purpose == about or kind.is_automatic_reply, value
    for kind in all_kinds():
        notice = Notice.objects.filter(kind=kind.kind).last()
        if notice.user is None:
            assert not kind.can_be_switched_off, "its reader has no account"
            continue
        assert skip_reason(notice) != SkipReason.SWITCHED_OFF
        set_cadence(user=notice.user, kind=kind.kind, cadence=Cadence.OFF)
        is_off = skip_reason(notice) == SkipReason.SWITCHED_OFF
        assert is_off is kind.can_be_switched_off, kind.kind


def test_a_kind_that_only_a_newer_release_knows_waits_and_holds_up_nothing(told, ann, bob, now):
    play(told, ann, "5", now)
    newer = Notice.objects.create(
        kind="from-tomorrow",
        user=bob,
        game=told,
        message_id="<tomorrow@example.org>",
        created_at=now,
        due_at=now,
    )
    tell(now)
    assert [sent.extra_headers["X-Pli-Kind"] for sent in mail.outbox] == ["your-turn"]
    newer.refresh_from_db()
    assert newer.state == Notice.State.WAITING
    assert newer.failing_since is not None


# Another kind ----------------------------------------------------------------------------------

LINE = '    JOINED = "joined", _("News of your tables")\n'
PLANTED = {
    "__init__.py": "",
    "kind.py": """
from accounts.models import User
from games.models import Event
from notifications.kinds.game_mail import GameMail
from notifications.kinds.registry import Kind


class Joined(GameMail):
    kind = Kind.JOINED
    events = frozenset({Event.Kind.JOINED})
    can_be_switched_off = True

    def recipients(self, event: Event) -> list[User]:
        return [event.game.creator]


KIND = Joined()
""",
    "templates/subject.txt": '{% load i18n %}{% translate "News of your tables" %}: {{ number }}',
    "templates/body.txt": '{% load i18n %}{% translate "News of your tables" %}: {{ actor }}',
}


@pytest.fixture
def copy(tmp_path):
    """A copy of the service in which a kind was planted: a folder, and a line in the registry."""
    unused = shutil.ignore_patterns(".*", "var", "docs", "node_modules")
    root = tmp_path / "pli"
    shutil.copytree(settings.BASE_DIR, root, ignore=unused)
    folder = root / "notifications" / "kinds" / "joined"
    for name, text in PLANTED.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    registry = folder.parent / "registry.py"
    lines = registry.read_text().splitlines(keepends=True)
    last = max(number for number, line in enumerate(lines) if '", _("' in line)
    registry.write_text("".join([*lines[: last + 1], LINE, *lines[last + 1 :]]))
    return root


def run(root, *command):
    env = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST_")}
    env |= {"DATABASE_URL": f"sqlite:///{root}/planted.sqlite3", "PLI_VAR": str(root / "planted")}
    done = subprocess.run(
        [sys.executable, *command], cwd=root, env=env, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-3000:]
    return done.stdout


def test_a_planted_kind_needs_its_folder_and_a_line_and_nothing_else(copy):
    """It is sent, on the page of settings and in the admin; no migration, no other table."""
    tests = str(Path(__file__).relative_to(settings.BASE_DIR))
    preferences = "tests/notifications/test_preferences.py"
    settings_page = "test_the_settings_page_shows_what_was_chosen"
    chosen = f"(test_kinds and not planted) or {settings_page}"
    said = run(copy, "-m", "pytest", "-n", "0", "-v", tests, preferences, "-k", chosen)
    assert "[joined]" in said
    assert f"{preferences}::{settings_page}" in said
    test_settings = ("--settings", "config.settings.test")
    run(copy, "manage.py", "makemigrations", "--check", "--dry-run", *test_settings)
    run(copy, "manage.py", "messages", "check", *test_settings)
