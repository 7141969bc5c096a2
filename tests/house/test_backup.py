"""A backup holds the whole database, fits either kind, and is refused where it would do harm."""

import gzip
import json
import os
import shutil
import stat
import subprocess
import sys
import threading
from contextlib import contextmanager
from datetime import timedelta
from uuid import uuid4

import environ
import pytest
from allauth.mfa.models import Authenticator
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import connection, connections
from django.db.utils import load_backend
from django.utils import timezone

from accounts.models import User
from config import backup, demo
from config.schedule import DEFAULT_QUEUE
from config.worker import periodic_tasks, run_until_idle
from games.models import Game, Heartbeat, Message
from games.moderation import people
from games.services.conduct import reports
from games.services.conduct.messages import say
from tests.games.play import begin

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

FILLED = {
    *("accounts_user", "accounts_sanction", "account_emailaddress", "auth_group_permissions"),
    *("games_game", "games_seat", "games_turn", "games_event", "games_invitation", "games_act"),
    *("games_message", "games_report", "notifications_notice", "notifications_replyaddress"),
}
"""Tables that the populated database must have rows in, or these tests would show little."""


@pytest.fixture
def populated(settings):
    """The demonstration, a conversation, a report, a sanction, a log and an outbox."""
    settings.DEVELOPMENT = True
    now = timezone.now()
    demo.seed(now=now)
    ann, moderator = User.objects.get(username="ann"), User.objects.get(username="moderator")
    game = Game.objects.filter(status=Game.Status.ACTIVE, seats__user=ann).first()
    message = say(
        game_id=game.pk, user=ann, text="« Ça va ? » – 你好 🎲", via=Message.Via.WEB, now=now
    )
    opponent = game.seats.exclude(user=ann).select_related("user").first().user
    reports.report_message(
        message_id=message.pk, reporter=opponent, reason="abuse", text="Rude.", now=now
    )
    Authenticator.objects.create(user=moderator, type=Authenticator.Type.TOTP, data={})
    people.warn_user(person_id=ann.pk, by=moderator, why="a rude message", now=now)
    run_until_idle([*periodic_tasks(DEFAULT_QUEUE), *periodic_tasks("mail")], threading.Event())
    filled = {name for name, rows in contents().items() if rows}
    assert filled >= FILLED, FILLED - filled


def contents(database=connection):
    """Return the rows of every table as the database itself gives them, sessions apart."""
    rows = {}
    with database.cursor() as cursor:
        for table in database.introspection.table_names(cursor):
            if table.startswith(("kept_", "django_session", "usersessions", "shared_cache")):
                continue
            if table == "django_migrations":
                continue
            names = sorted(
                column.name
                for column in database.introspection.get_table_description(cursor, table)
            )
            cursor.execute(f'SELECT {", ".join(map(quoted, names))} FROM "{table}"')  # noqa: S608
            rows[table] = sorted(cursor.fetchall(), key=repr)
    return rows


def quoted(name):
    return f'"{name}"'


@contextmanager
def another_database(kind, tmp_path, *, is_migrated=False):
    """Yield the address of a new, empty database, and a connection to it.

    It has its tables already if `is_migrated`, where tests.run has migrated a database to copy.
    (It always has them on PostgreSQL there.)
    """
    if kind == "sqlite":
        file = tmp_path / f"{uuid4().hex}.sqlite3"
        if is_migrated and (migrated := os.environ.get("PLI_TEST_MIGRATED")):
            shutil.copy(migrated, file)
        url = f"sqlite:///{file}"
    else:
        name = f"copy_{uuid4().hex}"
        with connection.cursor() as cursor:
            cursor.execute(f"CREATE DATABASE {name}")
        url = os.environ["DATABASE_URL"].rsplit("/", 1)[0] + f"/{name}"
    config = connections.configure_settings({"default": environ.Env.db_url_config(url)})["default"]
    opened = load_backend(config["ENGINE"]).DatabaseWrapper(config)
    try:
        yield url, opened
    finally:
        opened.close()


def command(*words, url):
    """Run a command of `manage.py` on another database; return what it printed."""
    inherited = {key: os.environ[key] for key in ("PATH", "HOME", "PLI_VAR")}
    done = subprocess.run(
        [sys.executable, "manage.py", *map(str, words)],
        cwd=settings.BASE_DIR,
        env=inherited | {"DATABASE_URL": url, "DJANGO_SETTINGS_MODULE": "config.settings.test"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.usefixtures("populated")
def test_a_restored_database_has_every_row_unchanged_and_goes_on_counting(tmp_path):
    file, kind = tmp_path / "pli.backup", connection.vendor
    call_command("backup", file)
    newest = User.objects.order_by("-pk").values_list("pk", flat=True).first()
    with another_database(kind, tmp_path) as (url, another):
        said = command("restore", file, url=url)
        assert f"{Game.objects.count()} games, 0 faults" in said
        assert contents(another) == contents()
        assert int(command("shell", "-c", NEW_USER, url=url).split()[-1]) > newest


NEW_USER = """
from accounts.models import User
print(User.objects.create_user("new").pk)
"""


@pytest.mark.postgresql
@pytest.mark.usefixtures("populated")
def test_a_database_moves_to_sqlite_and_back_to_postgresql_unchanged(tmp_path):
    file, other = tmp_path / "pli.backup", tmp_path / "pli2.backup"
    call_command("backup", file)
    Heartbeat.objects.update(at=timezone.now() - timedelta(hours=1))
    with another_database("sqlite", tmp_path, is_migrated=True) as (sqlite, _):
        said = command("restore", file, url=sqlite)
        assert f"{Game.objects.count()} games, 0 faults" in said
        command("backup", other, url=sqlite)
        command("shell", "-c", STOPPED_AN_HOUR_AGO, url=sqlite)
        with another_database("postgresql", tmp_path) as (postgresql, another):
            said = command("move_to_postgres", postgresql, url=sqlite)
            assert f"{Game.objects.count()} games, 0 faults" in said
            there, here = contents(another), contents()
            # An hour ago is not the same instant for both; everything else is equal.
            there.pop("games_heartbeat"), here.pop("games_heartbeat")
            assert there == here


STOPPED_AN_HOUR_AGO = """
from datetime import timedelta
from django.utils import timezone
from games.models import Heartbeat
Heartbeat.objects.update(at=timezone.now() - timedelta(hours=1))
"""


@pytest.fixture
def conversation(ann, bob):
    """A game of two in which something was said."""
    now = timezone.now()
    game = begin(ann, bob, now=now)
    return say(game_id=game.pk, user=ann, text="Hello", via=Message.Via.WEB, now=now)


@pytest.mark.usefixtures("conversation")
def test_a_backup_shows_one_instant_while_players_go_on():
    lines = backup.read_database("default", now=timezone.now())
    before = Message.objects.count()
    next(lines)  # the snapshot is taken with the first rows
    first_table = next(lines)
    assert first_table["table"]
    next(lines)
    speaking = threading.Thread(target=repeat_a_message)
    speaking.start()
    speaking.join(30)
    assert not speaking.is_alive(), "the backup keeps others from writing"
    rows = list(lines)[-1]["rows"]
    assert rows["games.Message"] == before
    assert Message.objects.count() == before + 1


def repeat_a_message():
    try:
        message = Message.objects.first()
        message.pk = None
        message.save(force_insert=True)
    finally:
        connection.close()


def test_a_backup_holds_no_session_and_only_its_owner_can_read_it(tmp_path, client, ann):
    client.force_login(ann)
    client.get("/")
    file = tmp_path / "pli.backup"
    call_command("backup", file)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert client.session.session_key not in gzip.decompress(file.read_bytes()).decode()


def test_a_backup_never_replaces_a_file(tmp_path):
    file = tmp_path / "pli.backup"
    file.write_text("something dear")
    with pytest.raises(CommandError, match="exists already"):
        call_command("backup", file)
    assert file.read_text() == "something dear"


@pytest.mark.usefixtures("conversation")
def test_a_backup_is_not_restored_over_people(tmp_path):
    file, before = tmp_path / "pli.backup", contents()
    call_command("backup", file)
    with pytest.raises(backup.DatabaseInUse):
        backup.restore_backup(file)
    assert contents() == before


def written(tmp_path, change):
    """Return a backup of the empty database, its lines changed."""
    whole, file = tmp_path / "whole.backup", tmp_path / "changed.backup"
    backup.write_backup(whole, now=timezone.now())
    lines = gzip.decompress(whole.read_bytes()).decode().splitlines()
    file.write_bytes(gzip.compress("\n".join(change(lines)).encode()))
    return file


def test_a_backup_of_another_version_is_refused(tmp_path):
    def change(lines):
        head = json.loads(lines[0])
        head["migrations"].append("games.0999_of_the_future")
        return [json.dumps(head), *lines[1:]]

    before = contents()
    with pytest.raises(backup.OtherMigrations, match="0999_of_the_future"):
        backup.restore_backup(written(tmp_path, change))
    assert contents() == before


@pytest.mark.parametrize(
    "change",
    [
        lambda lines: lines[:-1],
        lambda lines: [line for line in lines if '"practice-2"' not in line],
        lambda lines: ["{}", *lines[1:]],
        lambda lines: [*lines[:-1], "no JSON"],
    ],
    ids=["its end is missing", "a row is missing", "another first line", "no JSON"],
)
def test_a_damaged_backup_is_refused_and_changes_nothing(tmp_path, change):
    before = contents()
    with pytest.raises(backup.DamagedBackup):
        backup.restore_backup(written(tmp_path, change))
    assert contents() == before


def test_a_backup_that_was_cut_off_is_refused(tmp_path):
    file = written(tmp_path, lambda lines: lines)
    file.write_bytes(file.read_bytes()[:-200])
    before = contents()
    with pytest.raises(backup.DamagedBackup):
        backup.restore_backup(file)
    assert contents() == before


def test_nothing_is_moved_while_pli_runs():
    Heartbeat.objects.update_or_create(pk=1, defaults={"at": timezone.now()})
    with pytest.raises(backup.StillRunning):
        backup.copy_database("default", "default", now=timezone.now())


def test_a_move_goes_to_postgresql_only():
    with pytest.raises(CommandError, match="postgres://"):
        call_command("move_to_postgres", "sqlite:////tmp/nowhere.sqlite3")
