"""What a root inside this machine needs to reach the package indexes as the machine does."""

import configparser
import os
import re
import shutil
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from urllib.parse import urlsplit

DEBIAN = "http://deb.debian.org/debian"

PIP_SETTINGS = {
    Path("/etc/pip.conf"): "etc/pip.conf",
    Path("/etc/xdg/pip/pip.conf"): "etc/xdg/pip/pip.conf",
    Path("~/.pip/pip.conf"): "root/.pip/pip.conf",
    Path("~/.config/pip/pip.conf"): "root/.config/pip/pip.conf",
}
"""Where pip's settings lie here, and inside."""

COPIED = ("/etc/resolv.conf", "/etc/hosts", "/etc/ssl/certs", "/usr/local/share/ca-certificates")

VARIABLES = re.compile(
    r"PIP_.*|(?:HTTPS?|FTP|ALL|NO)_PROXY|SSL_CERT_(?:FILE|DIR)|(?:REQUESTS|CURL)_CA_BUNDLE",
    re.IGNORECASE,
)
"""The variables of the environment that say how to reach the network."""

APT_OPTIONS = ("Acquire::http", "Acquire::ftp", "Acquire::Retries", "Acquire::Force")


def environment() -> dict[str, str]:
    """Return the environment of somebody who has just signed in, and the network's variables."""
    clean = {
        "HOME": "/root",
        "LANG": "C.UTF-8",
        "PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
        "TERM": os.environ.get("TERM", "dumb"),
    }
    return clean | {key: value for key, value in os.environ.items() if VARIABLES.fullmatch(key)}


def copy_settings(folder: Path, suite: str) -> None:
    """Copy name servers, certificates, and pip's and apt's settings into a root."""
    for path in map(Path, COPIED):
        _copy(path, folder / path.relative_to("/"))
    for path, inside in PIP_SETTINGS.items():
        _copy(path.expanduser(), folder / inside)
    apt = folder / "etc/apt"
    (apt / "sources.list").write_text(f"deb {mirror(suite)} {suite} main\n")
    dumped = _output("apt-config", "dump").splitlines()
    options = [line for line in dumped if line.startswith(APT_OPTIONS)]
    (apt / "apt.conf.d/90as-the-machine-around").write_text("".join(f"{o}\n" for o in options))


def _copy(path: Path, target: Path) -> None:
    """Copy a file or folder; what is there already goes: its links would lead out of the root."""
    if path.is_dir():
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(path, target, ignore_dangling_symlinks=True)
    elif path.exists():
        target.parent.mkdir(parents=True, exist_ok=True)
        target.unlink(missing_ok=True)
        shutil.copy(path, target)


def mirror(suite: str) -> str:
    """Return where this machine gets Debian from, if it runs the same one; else Debian's own."""
    form = "$(CODENAME) $(COMPONENT) $(REPO_URI)"
    rows = _output("apt-get", "indextargets", "--format", form, "Created-By: Packages")
    for row in rows.splitlines():
        *release, address = row.split() or [""]
        if release == [suite, "main"]:
            return address
    return DEBIAN


def apt_option(name: str) -> str:
    """Return a setting of apt, "" when there is none."""
    found = re.search(rf'^{re.escape(name)} "(.*)";$', _output("apt-config", "dump"), re.MULTILINE)
    return found[1] if found else ""


def _output(*command: str) -> str:
    if not shutil.which(command[0]):
        return ""
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def named_paths(variables: Mapping[str, str], settings: Iterable[Path]) -> Iterator[Path]:
    """Return the files and folders that variables and pip's settings name: a local index, say."""
    values = list(variables.values())
    for path in settings:
        parser = configparser.ConfigParser(interpolation=None)
        parser.read(path)
        values += [value for section in parser.values() for value in section.values()]
    for value in dict.fromkeys(values):
        yield from filter(Path.exists, _paths_in(value))


def _paths_in(value: str) -> Iterator[Path]:
    for word in value.split():
        if "://" not in word:
            yield from (Path(part) for part in word.split(":") if part.startswith("/"))
        elif word.startswith("file://"):
            # A local index lies beside the files that its pages lead to, as in a full mirror.
            yield Path(urlsplit(word).path).parent
