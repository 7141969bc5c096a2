"""`make audit` calls requirements clean only if an index of advisories has said so of each."""

import json
import subprocess
import sys

import pytest
from django.conf import settings

from tests.audit import CLEAN, KNOWN_TO_BE_WEAK, UNKNOWN, WEAK

ADVISORY = {"id": "PYSEC-2026-1", "fix_versions": ["2.0"], "aliases": []}


def good(name):
    return {"name": name, "version": "1.0", "vulns": []}


def weak(name):
    return {"name": name, "version": "1.0", "vulns": [ADVISORY]}


def skipped(name):
    return {"name": name, "skip_reason": "not found"}


STAND_IN = """#!{python}
import json, pathlib, sys
answers = json.loads(pathlib.Path({answers!r}).read_text())
option = dict(zip(sys.argv[1:], sys.argv[2:]))
index = answers.get(option["--vulnerability-service"])
if index is None:
    sys.exit("cannot connect")
asked = pathlib.Path(option["--requirement"]).read_text().strip()
found = index[asked]
print(json.dumps({{"dependencies": found, "fixes": []}}))
sys.exit(any(one.get("vulns") for one in found))
"""


@pytest.fixture
def audit(tmp_path):
    """Return what becomes of an audit with a pip-audit whose indexes know certain answers."""

    def audit_with(**indexes):
        answers, pip_audit, file = (
            tmp_path / name for name in ("answers.json", "pip-audit", "base.txt")
        )
        answers.write_text(json.dumps(indexes))
        pip_audit.write_text(STAND_IN.format(python=sys.executable, answers=str(answers)))
        pip_audit.chmod(0o755)
        file.write_text("ours")
        return subprocess.run(
            [sys.executable, "-m", "tests.audit", str(pip_audit), str(file)],
            cwd=settings.BASE_DIR,
            capture_output=True,
            text=True,
            check=False,
        )

    return audit_with


def index(*ours, known=weak):
    """Return the answers of an index about our packages, and about one that is known to be weak."""
    return {KNOWN_TO_BE_WEAK: [known("django")], "ours": list(ours)}


def test_clean_is_what_an_index_has_nothing_against(audit):
    result = audit(pypi=index(good("redis"), good("celery")))
    assert result.returncode == CLEAN, result.stdout
    assert "pypi knows nothing against its 2 packages" in result.stdout


def test_a_known_weakness_is_named_with_the_version_that_fixes_it(audit):
    result = audit(pypi=index(good("redis"), weak("celery"), skipped("kombu")))
    assert result.returncode == WEAK
    assert "celery 1.0: PYSEC-2026-1; fixed in 2.0" in result.stdout
    assert "does not know kombu" in result.stdout


def test_without_any_index_nothing_is_known(audit):
    result = audit()
    assert result.returncode == UNKNOWN
    assert result.stdout.startswith("NOT AUDITED: no index of advisories answers")


def test_the_other_index_is_asked_where_the_first_does_not_answer(audit):
    result = audit(osv=index(good("redis")))
    assert result.returncode == CLEAN
    assert "osv knows nothing against" in result.stdout


@pytest.mark.parametrize("known", [good, skipped])
def test_an_index_that_finds_nothing_wrong_with_a_weak_version_is_not_believed(audit, known):
    result = audit(pypi=index(good("redis"), known=known))
    assert result.returncode == UNKNOWN
    assert "NOT AUDITED" in result.stdout


@pytest.mark.parametrize("ours", [[], [good("redis"), skipped("kombu")]])
def test_a_package_that_the_index_does_not_know_is_not_clean(audit, ours):
    result = audit(pypi=index(*ours))
    assert result.returncode == UNKNOWN
