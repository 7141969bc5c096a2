"""`python -m tests.audit PIP-AUDIT FILE...`: known weaknesses of the locked requirements.

pip-audit says "No known vulnerabilities found" even if its index knew none of the packages. So the
index must first tell of a version that is known to be weak, and then know every package.
"""

import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

CLEAN, WEAK, UNKNOWN = 0, 1, 3
"""Exit codes: nothing is known against the packages, something is, or nobody could be asked."""

INDEXES = ("pypi", "osv")
KNOWN_TO_BE_WEAK = "django==2.2"

Dependencies = list[dict[str, Any]]


def main(arguments: Sequence[str]) -> int:
    """Audit the files; return an exit code."""
    pip_audit, *files = arguments
    index = next((name for name in INDEXES if _has_advisories(pip_audit, name)), None)
    if index is None:
        print(f"NOT AUDITED: no index of advisories answers ({', '.join(INDEXES)}).")  # noqa: T201
        return UNKNOWN
    codes = {_audit(pip_audit, index, Path(file)) for file in files}
    return WEAK if WEAK in codes else max(codes)


def _has_advisories(pip_audit: str, index: str) -> bool:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "known-to-be-weak.txt"
        file.write_text(f"{KNOWN_TO_BE_WEAK}\n")
        found = _ask(pip_audit, index, file, "--no-deps")
    return any(package.get("vulns") for package in found or ())


def _audit(pip_audit: str, index: str, file: Path) -> int:
    found = _ask(pip_audit, index, file)
    if found is None:
        print(f"NOT AUDITED: {file}: {index} does not answer.")  # noqa: T201
        return UNKNOWN
    unknown = [package["name"] for package in found if "skip_reason" in package]
    weak = [package for package in found if package.get("vulns")]
    for package in weak:
        names = ", ".join(one["id"] for one in package["vulns"])
        fixed = {version for one in package["vulns"] for version in one["fix_versions"]}
        fix = f"; fixed in {', '.join(sorted(fixed))}" if fixed else ""
        print(f"WEAK: {file}: {package['name']} {package['version']}: {names}{fix}")  # noqa: T201
    if unknown:
        print(f"NOT AUDITED: {file}: {index} does not know {', '.join(unknown)}.")  # noqa: T201
    if weak:
        return WEAK
    if unknown or not found:
        return UNKNOWN
    print(f"{file}: {index} knows nothing against its {len(found)} packages.")  # noqa: T201
    return CLEAN


def _ask(pip_audit: str, index: str, file: Path, *more: str) -> Dependencies | None:
    """Return what pip-audit says of each package, None without an answer."""
    command = [pip_audit, "--vulnerability-service", index, "--requirement", str(file)]
    command += ["--disable-pip", "--progress-spinner", "off", "--desc", "off", "--format", "json"]
    result = subprocess.run(
        [*command, *more], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False
    )
    try:
        dependencies: Dependencies = json.loads(result.stdout)["dependencies"]
    except (ValueError, KeyError):
        return None
    return dependencies


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
