"""`python -m tests.fresh [pytest's arguments]`: as root, on a Debian machine."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from tests.fresh import root

TOOLS = {"debootstrap": "debootstrap", "git": "git", "tar": "tar", "unshare": "util-linux"}
"""The programs that are needed, and Debian's packages of them."""


def main(arguments: Sequence[str]) -> int:
    """Return 0 when both commands did what the README says."""
    reason = cannot_run()
    if reason:
        print(reason)  # noqa: T201
        return 2
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    began = time.monotonic()
    base = root.base(Path(os.environ.get("PLI_FRESH_CACHE") or "var/fresh"))
    with tempfile.TemporaryDirectory(prefix="pli-fresh-") as folder:
        fresh = root.unpack(base, Path(folder) / "root")
        root.clone_project(fresh)
        print(f"A bare {root.description(fresh)} after {time.monotonic() - began:.0f} s.")  # noqa: T201
        # Mounts and processes live in namespaces of their own: they end with it, however it ends.
        alone = ["setpriv", "--pdeathsig", "KILL", "unshare", "--mount", "--pid", "--mount-proc"]
        alone += ["--fork", "--kill-child"]
        steps = [sys.executable, "-m", "tests.fresh.steps", str(fresh), *arguments]
        return subprocess.call([*alone, *steps])


def cannot_run() -> str:
    """Return why this machine cannot do it, "" when it can; install what is missing."""
    if os.geteuid() != 0:
        return "A bare Debian can only be made by root: sudo make fresh"
    missing = sorted({package for tool, package in TOOLS.items() if not shutil.which(tool)})
    if not missing:
        return ""
    if not shutil.which("apt-get"):
        return f"make fresh needs {', '.join(missing)}, which Debian's packages bring."
    print(f"Installing {' '.join(missing)} ...", flush=True)  # noqa: T201
    env = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    install = ["apt-get", "install", "-y", "-qq", "--no-install-recommends", *missing]
    subprocess.run(["apt-get", "update", "-qq"], env=env, check=True)
    subprocess.run(install, env=env, check=True, stdout=subprocess.DEVNULL)
    return ""


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
