"""The one-minute form of `make chaos`: parts of a running service fail while people play."""

import json
import subprocess
import sys

import pytest
from django.conf import settings

pytestmark = [pytest.mark.postgresql, pytest.mark.timeout(900)]


def test_no_turn_and_no_mail_is_lost_while_parts_of_the_service_fail():
    """`make chaos` has two of each process, more players, and waits for claims to expire."""
    command = [sys.executable, "-m", "tests.chaos", "--minutes", "1.2", "--copies", "1"]
    command += ["--players", "5", "--pause", "4", "--seed", "short", "--hurry"]
    done = subprocess.run(
        command, cwd=settings.BASE_DIR, capture_output=True, text=True, check=False
    )
    report = f"{done.stdout[-8000:]}\n{done.stderr[-4000:]}"
    assert done.returncode == 0, report
    checked = json.loads(done.stdout[done.stdout.index("{\n") :])
    assert checked["faults"] == [], report
    assert checked["figures"]["faults"] > 3, report
    assert any(name.startswith("turns by") for name in checked["figures"]), report
