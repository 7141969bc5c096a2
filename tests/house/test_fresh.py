"""`make fresh`: what it takes from this machine, and when it is red. The rest is `make fresh`."""

import ctypes
import os
import sys

import pytest

from tests.fresh import __main__ as fresh
from tests.fresh import network, steps
from tests.house.waiting import wait_until
from tests.servers import free_port

PR_SET_CHILD_SUBREAPER = 36

SERVES = """
import http.server, signal, sys
signal.signal(signal.SIGINT, lambda *_: sys.exit({code}))
http.server.HTTPServer(("127.0.0.1", {port}), http.server.SimpleHTTPRequestHandler).serve_forever()
"""
LEAVES = """
import subprocess
subprocess.Popen(["sleep", "600"], start_new_session=True)
"""


# What it takes from this machine -----------------------------------------------------------------


def test_only_what_leads_to_the_network_is_taken_from_the_environment(monkeypatch):
    monkeypatch.setattr(os, "environ", {"PIP_INDEX_URL": "https://pypi.example.org/simple"})
    for name in ("https_proxy", "NO_PROXY", "SSL_CERT_FILE", "REQUESTS_CA_BUNDLE"):
        os.environ[name] = name
    clean = set(network.environment())
    for name in ("DATABASE_URL", "PLI_VAR", "VIRTUAL_ENV", "PYTHONPATH", "MAKEFLAGS", "NOT_PIP_X"):
        os.environ[name] = name
    assert set(network.environment()) == clean
    assert clean >= {"PIP_INDEX_URL", "https_proxy", "NO_PROXY", "SSL_CERT_FILE"}
    assert "PATH" in clean


def test_files_and_folders_that_pips_settings_name_are_found(tmp_path):
    for name in ("wheels", "mirror/simple", "certificates", "more"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "ca.pem").touch()
    settings = tmp_path / "pip.conf"
    settings.write_text(
        f"[global]\ncert = {tmp_path}/ca.pem\nindex-url = https://pypi.example.org/simple\n"
        f"find-links =\n  {tmp_path}/wheels\n  {tmp_path}/gone\n"
        f"extra-index-url = file://{tmp_path}/mirror/simple\n[install]\nprefix = %(none)s\n"
    )
    variables = {"SSL_CERT_DIR": f"{tmp_path}/certificates:{tmp_path}/more", "PIP_TIMEOUT": "60"}
    found = {
        path.relative_to(tmp_path).as_posix() for path in network.named_paths(variables, [settings])
    }
    assert found == {"ca.pem", "wheels", "mirror", "certificates", "more"}


@pytest.fixture
def apt(tmp_path, monkeypatch):
    """Let a program of apt answer with some lines."""
    monkeypatch.setenv("PATH", str(tmp_path), prepend=os.pathsep)

    def answer(program, lines):
        script = tmp_path / program
        script.write_text(f"#!/bin/sh\ncat <<'END'\n{lines}\nEND\n")
        script.chmod(0o755)

    return answer


def test_debian_comes_from_where_this_machine_gets_the_same_debian(apt):
    rows = (
        "http://flat.example.org/",
        "stable main http://a.example.org/x/",
        "bookworm contrib http://b.example.org/debian/",
    )
    apt("apt-get", "\n".join(rows))
    assert network.mirror("bookworm") == network.DEBIAN
    apt("apt-get", "\n".join([*rows, "bookworm main http://c.example.org/debian/"]))
    assert network.mirror("bookworm") == "http://c.example.org/debian/"


def test_apts_way_to_the_network_is_copied_and_nothing_else_of_apt(apt, tmp_path, monkeypatch):
    monkeypatch.setattr(network, "COPIED", (str(tmp_path / "nothing"),))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    apt("apt-get", "bookworm main http://c.example.org/debian/")
    proxy = 'Acquire::http::Proxy "http://proxy.example.org:3128";'
    apt("apt-config", f'DPkg::Post-Invoke:: "rm -rf /tmp/x";\n{proxy}\nAcquire::Languages "de";')
    root = tmp_path / "root"
    (root / "etc/apt/apt.conf.d").mkdir(parents=True)
    network.copy_settings(root, "bookworm")
    (options,) = (root / "etc/apt/apt.conf.d").iterdir()
    assert options.read_text() == f"{proxy}\n"
    sources = (root / "etc/apt/sources.list").read_text()
    assert sources == "deb http://c.example.org/debian/ bookworm main\n"
    assert network.apt_option("Acquire::http::Proxy") == "http://proxy.example.org:3128"
    assert network.apt_option("Acquire::https::Proxy") == ""


def test_nothing_is_written_through_links_that_lead_out_of_the_root(tmp_path, monkeypatch, apt):
    for program in ("apt-get", "apt-config"):
        apt(program, "")
    ours, root = tmp_path / "ours", tmp_path / "root"
    (ours / "certs").mkdir(parents=True)
    (ours / "certs" / "a.pem").write_text("ours")
    (ours / "resolv.conf").write_text("ours")
    inside = root / ours.relative_to("/")
    inside.mkdir(parents=True)
    (root / "etc/apt/apt.conf.d").mkdir(parents=True)
    outside = tmp_path / "outside"
    outside.write_text("outside")
    (inside / "resolv.conf").symlink_to(outside)
    (inside / "certs").mkdir()
    (inside / "certs" / "a.pem").symlink_to(outside)
    monkeypatch.setattr(network, "COPIED", (str(ours / "certs"), str(ours / "resolv.conf")))
    network.copy_settings(root, "bookworm")
    assert outside.read_text() == "outside"
    assert (inside / "certs" / "a.pem").read_text() == "ours"
    assert (inside / "resolv.conf").read_text() == "ours"


# Where it cannot run -----------------------------------------------------------------------------


def test_who_is_not_root_is_told_so(monkeypatch, capsys):
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert fresh.main([]) == 2
    assert "sudo make fresh" in capsys.readouterr().out


def test_where_there_is_no_apt_what_is_missing_is_named(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert fresh.main([]) == 2
    assert "debootstrap, git, tar, util-linux" in capsys.readouterr().out


# When it is red ----------------------------------------------------------------------------------


@pytest.fixture
def _adopting():
    """Let what loses its parent become our child, as in a namespace of its own."""
    libc = ctypes.CDLL(None)
    libc.prctl(PR_SET_CHILD_SUBREAPER, 1)
    yield
    libc.prctl(PR_SET_CHILD_SUBREAPER, 0)


def serve(tmp_path, program, code=0):
    port = free_port()
    (tmp_path / "index.html").write_text("a page")
    source = f"import os\nos.chdir({str(tmp_path)!r})\n{program}"
    command = [
        sys.executable,
        "-c",
        source.replace("{port}", str(port)).replace("{code}", str(code)),
    ]
    return list(steps.try_run(command, os.environ, f"http://127.0.0.1:{port}/"))


def problems(found):
    return [step.problem for step in found]


@pytest.mark.usefixtures("_adopting")
def test_pages_that_answer_and_end_with_ctrl_c_are_green(tmp_path, capsys):
    found = serve(tmp_path, SERVES)
    assert problems(found) == ["", ""]
    assert steps.report(found) == 0
    assert "green" in capsys.readouterr().out


@pytest.mark.usefixtures("_adopting")
def test_a_process_that_is_left_is_red_and_killed(tmp_path, capsys):
    found = serve(tmp_path, LEAVES + SERVES)
    assert problems(found) == ["", "it left processes: sleep 600"]
    # It is killed, and ends a moment later.
    wait_until(lambda: "sleep 600" not in steps.descendants().values(), "it has ended")
    assert steps.report(found) == 1
    assert "RED: it left processes" in capsys.readouterr().out


@pytest.mark.usefixtures("_adopting")
def test_pages_that_never_answer_are_red(tmp_path):
    assert problems(serve(tmp_path, "raise SystemExit(3)")) == [
        "it ended by itself with 3",
        "it ended with 3",
    ]


@pytest.mark.usefixtures("_adopting")
def test_pages_that_end_with_an_error_are_red(tmp_path):
    assert problems(serve(tmp_path, SERVES, code=4)) == ["", "it ended with 4"]


@pytest.mark.usefixtures("_adopting")
def test_a_test_that_fails_or_leaves_a_process_is_red():
    for source, problem in (
        ("pass", ""),
        ("raise SystemExit(1)", "it ended with 1"),
        (LEAVES, "it left processes: sleep 600"),
    ):
        (step,) = steps.try_test([sys.executable, "-c", source], os.environ, "make test")
        assert step.problem == problem
