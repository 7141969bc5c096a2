"""What the tests need from Debian: `python -m tests.packages` installs what is missing."""

import os
import shutil
import subprocess
import sys

from tests.servers import postgres_folder


def missing() -> list[str]:
    """Return the Debian packages that are not there."""
    there = {
        "redis-server": shutil.which("redis-server"),
        "chromium": shutil.which("chromium"),
        "postgresql": postgres_folder(),
    }
    return [package for package, found in there.items() if not found]


def main() -> int:
    packages = missing()
    if not packages:
        return 0
    words = " ".join(packages)
    if os.geteuid() != 0 or not shutil.which("apt-get"):
        print(f"The tests need more programs. On Debian: sudo apt-get install {words}")  # noqa: T201
        return 1
    print(f"Installing {words} ...", flush=True)  # noqa: T201
    env = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    subprocess.run(["apt-get", "update", "-qq"], env=env, check=True)
    install = ["apt-get", "install", "-y", "-qq", "--no-install-recommends", *packages]
    subprocess.run(install, env=env, check=True, stdout=subprocess.DEVNULL)
    return 1 if missing() else 0


if __name__ == "__main__":
    sys.exit(main())
