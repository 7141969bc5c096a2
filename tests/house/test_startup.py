"""No process of a server that others reach starts while its settings or accounts are not safe."""

import os
import shutil
import sqlite3
from urllib.parse import urlsplit

import pytest
from django.conf import settings

from tests.furnished import furnish
from tests.house.prod import production, run
from tests.servers import BlackHole, free_port

pytestmark = [pytest.mark.journey, pytest.mark.timeout(600)]

CELERY = ["-m", "celery", "-A", "config"]


def processes(folder):
    """Return the command line of every process that Pli consists of."""
    port = str(free_port())
    granian = ["-m", "granian", "--port", port]
    return {
        "serve": ["manage.py", "serve", "--port", port],
        "serve --web-only": ["manage.py", "serve", "--web-only", "--port", port],
        "listen": ["manage.py", "listen", f"127.0.0.1:{free_port()}"],
        "drain": ["manage.py", "drain"],
        "granian": [*granian, "--interface", "wsgi", "config.wsgi:application"],
        "granian for ASGI": [*granian, "--interface", "asginl", "config.asgi:application"],
        "worker": [*CELERY, "worker", "--pool", "solo"],
        "beat": [*CELERY, "beat", "--schedule", str(folder / "beat")],
    }


KINDS = tuple(processes(settings.BASE_DIR))

SECRETS = ("wFq3-key-that-is-short", "hunter2", "letmein")

CAUSES = {
    "SECRET_KEY": SECRETS[0],
    "PLI_FACTOR_KEYS": None,
    "ALLOWED_HOSTS": "*",
    "PLI_SITE_URL": "http://pli.example.org",
    "PLI_MAIL_DOMAIN": None,
    "EMAIL_URL": f"smtp://pli:{SECRETS[1]}@mail.example.org",
    "IMAP_URL": f"imap://pli:{SECRETS[2]}@mail.example.org/INBOX",
    "PLI_VAR": None,
    "PLI_VACATION_DAYS": "-3",
    "PLI_HOST_ADDRESS": "host",
    "CELERY_BROKER_URL": "redis://127.0.0.1:1/0",
}
"""Everything that can be wrong at once."""

NAMED = [name for name in CAUSES if name != "CELERY_BROKER_URL"]


CHANGE_PASSWORDS = """
from accounts.models import User
for user in User.objects.filter(is_bot=False):
    user.set_password("a long walk home")
    user.save()
"""


@pytest.fixture(scope="module")
def demonstration(tmp_path_factory):
    """The folder of `make run`: its accounts have public passwords."""
    folder = tmp_path_factory.mktemp("make-run") / "var"
    furnish(folder)
    return folder


@pytest.fixture
def copied(demonstration, tmp_path):
    """A copy of it, where a host's own server is to start."""
    return shutil.copytree(demonstration, tmp_path / "var")


@pytest.mark.parametrize("kind", KINDS)
def test_every_process_refuses_and_names_every_cause_at_once(kind, copied, tmp_path):
    database = {"DATABASE_URL": f"sqlite:///{copied / 'pli.sqlite3'}"}
    result = run(processes(tmp_path)[kind], production(tmp_path, **CAUSES | database))
    assert result.returncode != 0
    message = result.stdout[result.stdout.index("Pli does not start:") :]
    for name in NAMED:
        assert f"\n  - {name} " in message, name
    assert "ann, bob, cat, moderator" in message
    assert "Traceback" not in result.stdout
    assert not [secret for secret in SECRETS if secret in result.stdout]


@pytest.mark.parametrize("kind", KINDS)
def test_no_process_starts_on_a_database_of_make_run(kind, copied, tmp_path):
    env = production(copied, CELERY_BROKER_URL="redis://127.0.0.1:1/0")
    result = run(processes(tmp_path)[kind], env)
    assert result.returncode == (1 if kind.startswith("granian") else os.EX_CONFIG)
    assert "Everybody knows the passwords of ann, bob, cat, moderator" in result.stdout
    assert "Traceback" not in result.stdout
    assert not (copied / "static").exists()


def test_it_does_not_matter_what_the_account_is_called_now(copied):
    with sqlite3.connect(copied / "pli.sqlite3") as database:
        database.execute("UPDATE accounts_user SET username = 'judy' WHERE username = 'moderator'")
        database.execute("UPDATE accounts_user SET password = '!' WHERE username <> 'judy'")
    result = run(["manage.py", "drain"], production(copied))
    assert "Everybody knows the passwords of judy:" in result.stdout
    assert result.returncode != 0


def test_with_other_passwords_the_same_people_may_stay(copied):
    env = production(copied)
    assert run(["manage.py", "shell", "-c", CHANGE_PASSWORDS], env).returncode == 0
    result = run(["manage.py", "drain", "--once"], env)
    assert result.returncode == 0, result.stdout


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("DATABASE_URL", ""),
        ("DATABASE_URL", "games"),
        ("DATABASE_URL", "mysql://localhost/pli"),
        ("PLI_LOG_FORMAT", "xml"),
        ("PLI_LOG_LEVEL", "LOUD"),
    ],
)
def test_a_variable_that_means_nothing_is_named(name, value, tmp_path):
    result = run(["manage.py", "drain"], production(tmp_path, **{name: value}))
    assert f"\n  - {name} " in result.stdout
    assert "Traceback" not in result.stdout
    assert result.returncode == os.EX_CONFIG


def test_a_database_that_takes_connections_and_never_answers_keeps_nobody_waiting(tmp_path):
    with BlackHole() as hole:
        nowhere = f"postgres://pli@127.0.0.1:{urlsplit(hole.address).port}/pli"
        result = run(["manage.py", "drain"], production(tmp_path, DATABASE_URL=nowhere))
    assert result.returncode == os.EX_TEMPFAIL
    assert "The database does not answer" in result.stdout


def test_where_no_database_answers_it_says_so(tmp_path):
    nowhere = f"postgres://pli:{SECRETS[1]}@127.0.0.1:{free_port()}/pli"
    result = run(["manage.py", "drain"], production(tmp_path, DATABASE_URL=nowhere))
    # Not the status of wrong settings: whoever watches over Pli is to start it again.
    assert result.returncode == os.EX_TEMPFAIL
    assert "The database does not answer" in result.stdout
    assert "Traceback" not in result.stdout
    assert SECRETS[1] not in result.stdout


@pytest.mark.parametrize(
    "command",
    [
        ["check", "--deploy", "--fail-level", "WARNING"],
        ["makemigrations", "--check", "--dry-run"],
        ["messages", "check"],
        ["collectstatic", "--noinput", "--dry-run"],
    ],
)
def test_commands_that_serve_nobody_need_no_database(command, tmp_path):
    nowhere = f"postgres://pli@127.0.0.1:{free_port()}/pli"
    result = run(["manage.py", *command], production(tmp_path, DATABASE_URL=nowhere))
    assert result.returncode == 0, result.stdout


def test_the_translations_are_compiled_without_any_settings_of_production(tmp_path):
    """As the Dockerfile does, as root: the user that Pli runs as must be able to read them."""
    command = ["manage.py", "messages", "compile", "--settings", "config.settings.dev"]
    env = {"PATH": os.environ["PATH"], "DJANGO_SETTINGS_MODULE": "config.settings.prod"}
    result = run(command, env)
    assert result.returncode == 0, result.stdout
    compiled = settings.BASE_DIR / "locale" / "fr" / "LC_MESSAGES" / "django.mo"
    assert compiled.stat().st_mode & 0o777 == 0o644


def test_mail_that_comes_in_meanwhile_is_not_sent_back(tmp_path):
    env = production(tmp_path, SECRET_KEY="short")
    result = run(["manage.py", "receive_mail", "--to", "nobody@example.org"], env, input="")
    assert result.returncode == os.EX_TEMPFAIL
    assert run(["manage.py", "check"], env).returncode == os.EX_CONFIG
