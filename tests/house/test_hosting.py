"""What the instructions for hosts say is what Pli needs: the systemd unit, the commands."""

import os
import re

import pytest
from django.conf import settings

from tests.servers import web_command

HOSTING = (settings.BASE_DIR / "docs" / "hosting.md").read_text(encoding="utf-8")
UNIT = (settings.BASE_DIR / "docs" / "systemd" / "pli.service").read_text(encoding="utf-8")


def service():
    """Return the settings of the unit's [Service]: each name with its values, in order."""
    found = {}
    for line in UNIT.split("[Service]")[1].split("[Install]")[0].splitlines():
        if line and not line.startswith("#"):
            name, value = line.split("=", 1)
            found.setdefault(name, []).append(value)
    return found


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("NoNewPrivileges", "yes"),
        ("ProtectSystem", "strict"),
        ("ProtectHome", "yes"),
        ("ReadWritePaths", "/var/lib/pli"),
        ("StateDirectoryMode", "0700"),
        ("PrivateTmp", "yes"),
        ("PrivateDevices", "yes"),
        ("UMask", "0077"),
        ("CapabilityBoundingSet", ""),
        ("RestrictAddressFamilies", "AF_INET AF_INET6 AF_UNIX"),
        ("RestrictNamespaces", "yes"),
        ("MemoryDenyWriteExecute", "yes"),
        ("SystemCallArchitectures", "native"),
        ("ProtectKernelTunables", "yes"),
        ("ProtectKernelModules", "yes"),
        ("ProtectControlGroups", "yes"),
        ("RestrictSUIDSGID", "yes"),
        ("LockPersonality", "yes"),
    ],
)
def test_the_service_may_do_nothing_that_it_does_not_need(name, value):
    assert service()[name] == [value]


def test_the_service_may_call_what_services_call_and_nothing_privileged():
    filters = ["@system-service", "~@privileged @resources", "setpriority"]
    assert service()["SystemCallFilter"] == filters


def test_the_service_runs_as_a_user_of_its_own_that_the_instructions_make():
    assert service()["User"] == ["pli"]
    assert "useradd --system" in HOSTING
    assert "install -d -m 700 -o pli -g pli /var/lib/pli" in HOSTING


def test_the_service_is_started_again_unless_its_settings_are_refused():
    assert service()["Restart"] == ["always"]
    assert service()["RestartPreventExitStatus"] == [str(os.EX_CONFIG)]


def test_each_process_is_asked_once_to_stop():
    assert service()["KillMode"] == ["mixed"]


def test_the_instructions_lead_to_the_unit():
    assert "docs/systemd/pli.service" in HOSTING


def options(command):
    return {part for part in command if part.startswith("--") and part not in ELSEWHERE}


ELSEWHERE = {"--log-level"}
"""Options of `serve` alone, which says itself what happens."""


def test_pages_on_more_machines_are_started_as_serve_starts_them():
    (line,) = re.findall(r"`(granian [^`]+)`", HOSTING)
    ours = web_command("0.0.0.0", 8000, 2)  # noqa: S104  (as the instructions say)
    assert options(line.split()) == options(ours)
    assert line.split()[-1] == ours[-1]
