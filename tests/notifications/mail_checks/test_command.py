"""What `manage.py maildoctor` prints, in which language, and how it ends."""

import subprocess
import sys

import pytest
from django.core.management import CommandError, call_command

from notifications.management.commands import maildoctor
from notifications.services.mail_checks.dns_lookups import DnsResolver
from tests.notifications.outgoing_mail import environment
from tests.servers import free_port

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def without_dns(monkeypatch):
    monkeypatch.setattr(maildoctor.DnsResolver, "of_this_machine", lambda: DnsResolver(None))


def test_a_site_without_fault_ends_with_status_zero(without_dns, listens, capsys):
    call_command("maildoctor", language="en")
    said = capsys.readouterr().out
    assert "ok    Listener in" in said
    assert "warn  SPF" in said
    assert said.endswith("No check fails.\n")
    assert max(map(len, said.splitlines())) <= 78


def test_a_fault_ends_with_status_one(without_dns, settings, capsys):
    settings.LISTEN = f"127.0.0.1:{free_port()}"
    with pytest.raises(SystemExit) as ended:
        call_command("maildoctor", language="en")
    assert ended.value.code == 1
    said = capsys.readouterr().out
    assert "FAIL  Listener in" in said
    assert "→ Start “manage.py listen”" in said
    assert said.endswith("1 check fails.\n")


def test_it_speaks_french(without_dns, listens, capsys):
    call_command("maildoctor", language="fr")
    said = capsys.readouterr().out
    assert "Aucun contrôle n’échoue." in said
    assert "Not " not in said


@pytest.mark.parametrize(
    ("names", "language"),
    [
        ({"LANG": "fr_FR.UTF-8"}, "fr"),
        ({"LANG": "fr"}, "fr"),
        ({"LANG": "en_GB.UTF-8", "LC_ALL": "fr_CA.UTF-8"}, "fr"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({}, "en"),
    ],
)
def test_the_language_is_the_terminals(monkeypatch, names, language):
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in names.items():
        monkeypatch.setenv(name, value)
    assert maildoctor.terminal_language() == language


def test_an_address_that_is_none_is_refused(capsys):
    with pytest.raises(CommandError, match="--ip"):
        call_command("maildoctor", "--ip", "not-an-address")


def test_it_runs_as_a_command_of_its_own(tmp_path):
    ended = subprocess.run(
        [sys.executable, "manage.py", "maildoctor", "--timeout", "0"],
        env=environment() | {"PLI_LISTEN": f"127.0.0.1:{free_port()}", "LANG": "fr_FR.UTF-8"},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (ended.returncode, ended.stderr) == (1, "")
    assert "1 contrôle échoue." in ended.stdout
