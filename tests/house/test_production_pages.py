"""What a host's own server answers and writes, as real processes: cookies, hosts, files."""

import re
import stat
import subprocess
import sys
from http.client import HTTPConnection
from http.cookies import SimpleCookie
from urllib.parse import urlencode

import pytest
from django.conf import settings

from tests.house.prod import SITE, production, run
from tests.house.waiting import TIMEOUT, wait_until
from tests.servers import free_port
from tests.var_folder import migrate

pytestmark = [pytest.mark.journey, pytest.mark.timeout(600)]

HOST = SITE.removeprefix("https://")

PEOPLE = """
from datetime import timedelta
from allauth.account.models import EmailAddress
from django.utils import timezone
from accounts.models import User
from games.models import Announcement
user = User.objects.create_user("judy", "judy@example.org", "a long walk home")
EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
day = timedelta(days=1)
now = timezone.now()
Announcement.objects.create(
    english="News.", french="Nouvelles.", from_at=now - day, until=now + day, by=user
)
"""


class Server:
    """`manage.py serve` of production in a folder that others may read, as it was made long ago."""

    def __init__(self, folder):
        self.folder, self.port = folder, free_port()
        self.env = production(folder, PLI_SECURITY_CONTACT="mailto:security@example.org")
        self.log = folder.parent / "serve.log"
        self.process = None

    def start(self):
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                [sys.executable, "manage.py", "serve", "--port", str(self.port)],
                cwd=settings.BASE_DIR,
                env=self.env,
                stdout=log,
                stderr=subprocess.STDOUT,
                umask=0o022,
            )
        wait_until(lambda: self.is_ready() or self.process.poll() is not None, "Pli is ready")
        assert self.is_ready(), self.words()

    def is_ready(self):
        return "Ctrl-C stops everything" in self.words()

    def words(self):
        return self.log.read_text()

    def ask(self, method, path, body=None, host=HOST, scheme="https", **headers):
        """Return the answer of the pages, with `body` as its text."""
        connection = HTTPConnection("127.0.0.1", self.port, timeout=TIMEOUT)
        headers |= {"Host": host, "X-Forwarded-Proto": scheme}
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        answer.text = answer.read().decode(errors="replace")
        connection.close()
        return answer


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    folder = tmp_path_factory.mktemp("production") / "var"
    migrate(folder)
    (folder / "pictures").mkdir()
    (folder / "pictures" / "old.djcache").write_bytes(b"old")
    for path in [folder, *folder.rglob("*")]:
        path.chmod(0o755 if path.is_dir() else 0o644)
    server = Server(folder)
    server.start()
    result = run(["manage.py", "shell", "-c", PEOPLE], server.env)
    assert result.returncode == 0, result.stdout
    yield server
    server.process.terminate()
    server.process.wait()


# Cookies -----------------------------------------------------------------------------------------


class Browser:
    """Somebody's browser: it keeps cookies, and every header that has ever set one."""

    def __init__(self, server):
        self.server, self.jar, self.set = server, {}, []

    def ask(self, method, path, **fields):
        headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.jar.items())}
        if fields:
            headers |= {"Content-Type": "application/x-www-form-urlencoded"}
            headers |= {"Referer": f"{SITE}/"}
        answer = self.server.ask(method, path, urlencode(fields) if fields else None, **headers)
        for header in answer.msg.get_all("Set-Cookie") or []:
            for name, morsel in SimpleCookie(header).items():
                self.set.append(morsel)
                self.jar[name] = morsel.coded_value
        return answer

    def send(self, path, page="/", **fields):
        """Send a form with the token of a page."""
        text = self.ask("GET", page).text
        token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', text)[1]
        answer = self.ask("POST", path, csrfmiddlewaretoken=token, **fields)
        assert answer.status == 302, (path, answer.status, answer.text)
        return answer


@pytest.fixture(scope="module")
def visitor(server):
    """A browser in which every kind of cookie has been set."""
    browser = Browser(server)
    sign_in = {"login": "judy", "password": "a long walk home"}
    browser.send("/accounts/login/", "/accounts/login/", **sign_in)
    home = browser.ask("GET", "/").text
    assert "judy" in home
    browser.send(re.search(r'action="(/announcements/\w+/dismiss/)"', home)[1], next="/")
    assert "News." not in browser.ask("GET", "/").text
    browser.send("/accounts/logout/", "/accounts/logout/")
    browser.send("/i18n/setlang/", "/accounts/login/", language="fr", next="/")
    assert '<html lang="fr">' in browser.ask("GET", "/accounts/login/").text
    return browser


def test_every_cookie_belongs_to_this_host_alone(visitor):
    kinds = {"sessionid", "csrftoken", "messages", "dismissed", "django_language", "known_devices"}
    assert {cookie.key for cookie in visitor.set} == {f"__Host-{kind}" for kind in kinds}
    for cookie in visitor.set:
        assert cookie["secure"], cookie
        assert cookie["path"] == "/", cookie
        assert cookie["domain"] == "", cookie
        assert cookie["samesite"] == "Lax", cookie


def test_no_script_reads_the_session(visitor):
    sessions = [one for one in visitor.set if "session" in one.key and one.value]
    assert sessions
    assert all(cookie["httponly"] for cookie in sessions)


# Hosts -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scheme", ["https", "http"])
@pytest.mark.parametrize("host", ["evil.example.org", "pli.example.org.evil.org", "a b", "-"])
def test_a_foreign_host_is_a_bad_request_and_leaves_one_line(server, host, scheme):
    before = server.words()
    answer = server.ask("GET", "/", host=host, scheme=scheme)
    assert answer.status == 400
    assert "This could not be read" in answer.text
    wait_until(lambda: len(server.words()) > len(before), "the server has written it down")
    said = server.words().removeprefix(before)
    lines = [line for line in said.splitlines() if " pli.requests " not in line]
    assert len(lines) == 1, said  # besides the one that every request has
    assert "Invalid HTTP_HOST header" in said


def test_a_body_that_cannot_be_read_leaves_one_line(server):
    browser = Browser(server)
    browser.ask("GET", "/accounts/login/")
    before = server.words()
    cookie = "; ".join(f"{name}={value}" for name, value in browser.jar.items())
    kind = "multipart/form-data; boundary="
    headers = {"Cookie": cookie, "Content-Type": kind, "Referer": f"{SITE}/"}
    assert server.ask("POST", "/accounts/login/", "x", **headers).status == 400
    said = server.words().removeprefix(before)
    assert "Traceback" not in said


def test_the_site_itself_is_served(server):
    assert server.ask("GET", "/").status == 200
    assert server.ask("GET", "/healthz").text == "ok"


# Files -------------------------------------------------------------------------------------------


def test_what_pli_keeps_is_for_its_own_user_alone(server):
    everything = [server.folder, *server.folder.rglob("*")]
    names = {path.name for path in everything}
    assert {"pli.sqlite3", "static", "pictures", "old.djcache"} <= names
    assert any(path.suffix == ".gz" for path in everything)
    loose = [
        f"{path} {stat.filemode(path.stat().st_mode)}"
        for path in everything
        if path.stat().st_mode & 0o077
    ]
    assert loose == []


def test_every_process_writes_for_its_own_user_alone(server):
    family = [server.process.pid, *children_of(server.process.pid)]
    assert len(family) >= 4
    for pid in family:
        with open(f"/proc/{pid}/status", encoding="utf-8") as status:
            said = dict(line.split(":", 1) for line in status)
        assert said["Umask"].strip() == "0077", said["Name"]


def children_of(pid):
    """Return the processes that a process has started, and those that they have."""
    found = []
    with open(f"/proc/{pid}/task/{pid}/children", encoding="utf-8") as children:
        for child in children.read().split():
            found += [int(child), *children_of(int(child))]
    return found
