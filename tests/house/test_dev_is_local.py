"""The public passwords and the open inbox of `make run` are never served to other machines."""

import socket
import subprocess
import sys

import pytest
from django.conf import settings
from django.http import HttpResponse
from django.test import RequestFactory

from config.middleware import LoopbackOnlyMiddleware
from config.settings.validation import development_problems
from tests.house.prod import run
from tests.house.waiting import wait_until
from tests.servers import free_port
from tests.var_folder import environment

ALL_ADDRESSES = "0.0.0.0"  # noqa: S104  (asked for, and refused)


@pytest.mark.parametrize("name", ["PLI_SITE_URL", "ALLOWED_HOSTS"])
@pytest.mark.parametrize(
    "host", ["games.example.org", "192.168.1.7", ALL_ADDRESSES, "localhost.org"]
)
def test_without_the_name_of_the_settings_a_public_address_is_refused(name, host):
    """As in an environment file that forgets DJANGO_SETTINGS_MODULE."""
    value = f"https://{host}" if name == "PLI_SITE_URL" else f"localhost,{host}"
    (problem,) = development_problems({name: value})
    assert problem.startswith(f"{name} names another host")
    assert "DJANGO_SETTINGS_MODULE=config.settings.prod" in problem


@pytest.mark.parametrize(
    "site", ["", "http://localhost:9000", "http://127.0.0.1:8000", "http://[::1]:8000"]
)
def test_an_address_of_this_machine_is_fine(site):
    assert development_problems({"PLI_SITE_URL": site, "ALLOWED_HOSTS": "localhost"}) == []


@pytest.mark.parametrize("command", ["serve", "listen", "drain", "check", "runserver --noreload"])
def test_no_command_runs_with_debug_where_a_public_address_is_set(command, tmp_path):
    env = environment(tmp_path) | {"PLI_SITE_URL": "https://games.example.org"}
    result = run(["manage.py", *command.split()], env)
    assert result.returncode != 0
    assert "Pli does not start:\n  - PLI_SITE_URL names another host" in result.stdout
    assert "Traceback" not in result.stdout


@pytest.mark.parametrize("host", [ALL_ADDRESSES, "::", "192.168.1.7", "games.example.org"])
def test_serve_does_not_listen_for_other_machines_with_debug(host, tmp_path):
    folder = tmp_path / "var"
    command = ["manage.py", "serve", "--host", host, "--port", str(free_port())]
    result = run(command, environment(folder))
    assert result.returncode != 0
    assert f"--host {host} is not this machine" in result.stdout
    assert "DJANGO_SETTINGS_MODULE=config.settings.prod" in result.stdout
    assert not folder.exists()


@pytest.mark.parametrize(
    ("address", "status"),
    [("127.0.0.1", 200), ("127.8.8.8", 200), ("::1", 200), ("192.0.2.7", 403), ("", 403)],
)
def test_requests_of_other_machines_are_refused(address, status):
    answer = LoopbackOnlyMiddleware(lambda request: HttpResponse("a page"))
    request = RequestFactory().get("/", REMOTE_ADDR=address)
    assert answer(request).status_code == status


@pytest.mark.parametrize(
    "header", ["Forwarded", "Via", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP"]
)
def test_what_a_proxy_on_this_machine_passes_on_is_refused(header):
    answer = LoopbackOnlyMiddleware(lambda request: HttpResponse("a page"))
    request = RequestFactory().get("/", REMOTE_ADDR="127.0.0.1", headers={header: "192.0.2.7"})
    assert answer(request).status_code == 403


def own_address():
    """Return an address of this machine that is not its loopback; None without any."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # sends nothing
        except OSError:
            return None
        return str(probe.getsockname()[0])


@pytest.fixture
def granian(tmp_path):
    """The pages of `make run`, started by hand for all addresses."""
    port = free_port()
    command = ["-m", "granian", "--interface", "wsgi", "--host", ALL_ADDRESSES, "--port", str(port)]
    env = environment(tmp_path) | {"DJANGO_SETTINGS_MODULE": "config.settings.dev"}
    process = subprocess.Popen(
        [sys.executable, *command, "config.wsgi:application"],
        cwd=settings.BASE_DIR,
        env=env,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    yield port
    process.terminate()
    process.wait()


def status_of(address, port, host):
    """Return the status of /healthz, asked at an address under the name of a host."""
    with socket.create_connection((address, port), timeout=60) as connection:
        asked = f"GET /healthz HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"
        connection.sendall(asked.encode())
        with connection.makefile("rb") as answer:
            return int(answer.readline().split()[1])


def answers(port):
    try:
        return status_of("127.0.0.1", port, "localhost") in {200, 503}
    except OSError:
        return False


@pytest.mark.journey
def test_a_web_server_started_by_hand_serves_this_machine_and_its_names_alone(granian):
    wait_until(lambda: answers(granian), "the pages are there")
    for host in ("localhost", "127.0.0.1", f"[::1]:{granian}"):
        assert status_of("127.0.0.1", granian, host) == 200
    for host in ("evil.example.org", "localhost.example.org", "pli.localhost"):
        assert status_of("127.0.0.1", granian, host) == 400
    assert status_of(own_address(), granian, "localhost") == 403
