"""The folder that holds a bare Debian with a clone of the project in it."""

import os
import subprocess
import tempfile
from pathlib import Path

from tests.fresh import network

SUITE = os.environ.get("PLI_FRESH_SUITE") or "bookworm"
PACKAGES = ("python3", "python3-venv", "make", "git")
"""What a machine has besides Debian's smallest installation: the README asks for it."""

TREE = "root/pli"
"""Where the committed tree lies inside."""

NO_SERVICES = "#!/bin/sh\nexit 101\n"
"""Debian's policy-rc.d: packages start no services, which would take this machine's ports."""


def base(cache: Path) -> Path:
    """Return a tarball of the bare Debian; it is made once, and whenever the packages change."""
    tarball = cache / f"{SUITE}-{'-'.join(PACKAGES)}.tar"
    if not tarball.exists():
        cache.mkdir(parents=True, exist_ok=True)
        print(f"Making {tarball} ...", flush=True)  # noqa: T201
        with tempfile.TemporaryDirectory(prefix="pli-fresh-base-") as folder:
            _debootstrap(Path(folder) / "root")
            unfinished = tarball.with_suffix(".unfinished")
            _run("tar", "--create", "--file", unfinished, "--directory", f"{folder}/root", ".")
            unfinished.rename(tarball)
    return tarball


def _debootstrap(folder: Path) -> None:
    command = ["debootstrap", "--variant=minbase", f"--include={','.join(PACKAGES)}"]
    mirror = network.mirror(SUITE)
    proxy = network.apt_option("Acquire::http::Proxy")
    env = ({"http_proxy": proxy} if proxy else {}) | os.environ
    log = folder.parent / "debootstrap.log"
    with log.open("wb") as output:
        made = subprocess.call([*command, SUITE, folder, mirror], env=env, stdout=output)
    if made:
        raise SystemExit(f"debootstrap failed:\n{log.read_text()[-3000:]}")
    _run("chroot", folder, "apt-get", "clean")


def unpack(tarball: Path, folder: Path) -> Path:
    """Return the folder with a bare Debian that reaches the network as this machine does."""
    folder.mkdir()
    _run("tar", "--extract", "--file", tarball, "--directory", folder)
    policy = folder / "usr/sbin/policy-rc.d"
    policy.write_text(NO_SERVICES)
    policy.chmod(0o755)
    network.copy_settings(folder, SUITE)
    return folder


def clone_project(folder: Path) -> None:
    """Clone what is committed, with its history; say what is not, because it is not tried."""
    changed = subprocess.check_output(["git", "status", "--porcelain"], text=True).splitlines()
    if changed:
        print(f"Not tried, because it is not committed: {len(changed)} files.")  # noqa: T201
    _run("git", "clone", "--quiet", "--no-hardlinks", Path.cwd(), folder / TREE)


def description(folder: Path) -> str:
    """Return the versions of Debian and Python inside, in words."""
    version = (folder / "etc/debian_version").read_text().strip()
    command = ["chroot", folder, "python3", "--version"]
    return f"Debian {version} with {subprocess.check_output(command, text=True).strip()}"


def _run(*command: str | Path) -> None:
    subprocess.run(command, check=True)
