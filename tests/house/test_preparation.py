"""`manage.py serve` prepares what has changed since the last start, and nothing else."""

import importlib.util
import os

import pytest
from django.conf import settings as project
from django.core.management import call_command
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder

from config import preparation
from config.preparation import Preparation

pytestmark = pytest.mark.django_db


@pytest.fixture
def ran(monkeypatch):
    """The commands that were run, in their order."""
    commands = []
    monkeypatch.setattr(preparation, "call_command", lambda name, **how: commands.append(name))
    monkeypatch.setattr(preparation.Check, "check", lambda self: commands.append("check"))
    return commands


@pytest.fixture
def start(ran, tmp_path, settings):
    """What a start does; returns the commands that it ran."""
    settings.STATIC_ROOT = tmp_path / "static"
    settings.STATIC_ROOT.mkdir()

    def one():
        ran.clear()
        Preparation(tmp_path, lambda text: None).run()
        (settings.STATIC_ROOT / "staticfiles.json").write_text("{}")
        return list(ran)

    return one


MIGRATE = ["check", "migrate", "createcachetable"]


def test_the_first_start_does_everything_and_the_second_nothing(start):
    assert start() == [*MIGRATE, "collectstatic"]
    assert start() == []


def test_a_development_server_collects_nothing(start, settings):
    settings.DEVELOPMENT = True
    assert start() == MIGRATE
    assert start() == []


def test_a_database_without_one_of_the_migrations_is_migrated(start):
    start()
    MigrationRecorder(connection).record_unapplied("games", "0001_initial")
    assert start() == MIGRATE


def test_another_database_is_migrated(start, settings, monkeypatch):
    start()
    monkeypatch.setitem(settings.DATABASES["default"], "HOST", "elsewhere")
    assert start() == MIGRATE


def test_another_version_of_the_code_is_checked_and_migrated(start, monkeypatch, tmp_path):
    monkeypatch.setattr(preparation, "CODE", ("config", str(tmp_path / "code")))
    (tmp_path / "code").mkdir()
    code = tmp_path / "code" / "roles.py"
    code.write_text("one = 1")
    start()
    assert start() == []
    code.write_text("one = 1000")
    assert start() == MIGRATE


def test_another_static_file_is_packed(start, settings, tmp_path):
    folder = tmp_path / "more"
    folder.mkdir()
    (folder / "one.css").write_text("a {}")
    settings.STATICFILES_DIRS = [*settings.STATICFILES_DIRS, folder]
    start()
    assert start() == []
    os.utime(folder / "one.css", (1, 1))
    assert start() == ["collectstatic"]


def test_packed_files_that_are_gone_are_made_again(start, settings):
    start()
    (settings.STATIC_ROOT / "staticfiles.json").unlink()
    assert start() == ["collectstatic"]


def test_what_failed_is_done_again(start, monkeypatch, tmp_path):
    start()
    MigrationRecorder(connection).record_unapplied("games", "0001_initial")
    with monkeypatch.context() as patch:
        patch.setattr(preparation, "call_command", lambda *a, **k: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            Preparation(tmp_path, lambda text: None).run()
    MigrationRecorder(connection).record_applied("games", "0001_initial")
    assert start() == [*MIGRATE, "collectstatic"]


def test_a_damaged_note_counts_as_none(start, tmp_path):
    start()
    (tmp_path / "prepared.json").write_text("[")
    assert start() == [*MIGRATE, "collectstatic"]


def test_no_secret_is_noted(start, monkeypatch, tmp_path):
    monkeypatch.setenv("PLI_MAIL_WEBHOOK_SECRET", "hush")
    start()
    monkeypatch.setenv("PLI_MAIL_WEBHOOK_SECRET", "hush, again")
    assert start() == []


def test_all_migrations_of_a_migrated_database_are_found(tmp_path):
    one = Preparation(tmp_path, lambda text: None)
    assert one.is_migrated()
    assert len(one._migrations) > 60


def test_progress_is_told_while_tables_are_made():
    told = []
    steps = preparation._Steps(50, told.append)
    for _ in range(50):
        steps.write("  Applying games.0001_initial...")
        steps.write(" OK\n")
    assert told == ["  10 of 50", "  20 of 50", "  30 of 50", "  40 of 50"]


def test_migrate_reports_as_it_is_counted():
    steps = preparation._Steps(1, lambda text: None)
    MigrationRecorder(connection).record_unapplied("sessions", "0001_initial")
    call_command("migrate", "sessions", "0001", fake=True, no_color=True, stdout=steps)
    assert steps._count == 0, "FAKED is no step"


# What is taken out of the .venv ------------------------------------------------------------------


def slim():
    path = project.BASE_DIR / "requirements" / "slim.py"
    spec = importlib.util.spec_from_file_location("slim", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_only_languages_that_the_site_does_not_have_are_removed(tmp_path):
    for name in ("de", "fr", "fr_CA", "en", "pt_BR"):
        folder = tmp_path / "django" / "locale" / name / "LC_MESSAGES"
        folder.mkdir(parents=True)
        (folder / "django.mo").touch()
        (folder / "django.po").touch()
    data = tmp_path / "babel" / "locale-data"
    data.mkdir(parents=True)
    for name in ("de", "fr", "en_GB", "root"):
        (data / f"{name}.dat").touch()
    found = {path.relative_to(tmp_path).as_posix() for path in slim().unread(tmp_path)}
    assert found == {
        "babel/locale-data/de.dat",
        *(f"django/locale/{name}/LC_MESSAGES" for name in ("de", "pt_BR")),
        *(f"django/locale/{name}/LC_MESSAGES/django.po" for name in ("en", "fr", "fr_CA")),
    }


def test_only_parts_of_pillow_for_other_formats_than_png_are_removed(tmp_path):
    kept = {"PIL/_imaging.x.so", "PIL/_webp.pyi", "pillow.libs/libtiff-1.so"}
    removed = {"PIL/_webp.x.so", "PIL/_imagingft.x.so", "pillow.libs/libwebpmux-1.so.3"}
    for name in kept | removed:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    found = {path.relative_to(tmp_path).as_posix() for path in slim().unread(tmp_path)}
    assert found == removed


def test_tests_of_packages_and_their_pages_of_an_api_are_removed(tmp_path):
    kept = {"django/test/client.py", "ninja/main.py", "pip/main.py", "x/__pycache__/x.pyc"}
    gone = {"icalendar/tests", "x/y/tests", "ninja/static", "pip/a/__pycache__", "pip/__pycache__"}
    for name in kept | {f"{folder}/file" for folder in gone}:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    found = {path.relative_to(tmp_path).as_posix() for path in slim().unread(tmp_path)}
    assert found == gone


def test_the_languages_of_the_site_are_kept():
    assert set(slim().KEPT) == {code for code, _ in project.LANGUAGES}
