"""Which settings of a host's own server are refused, and that every cause is named at once."""

import re
import runpy
import secrets
import socket

import pytest
from cryptography.fernet import Fernet
from django.conf import settings

from config.settings import test as settings_of_tests
from config.settings.validation import allowed_hosts, production_problems

KEY = secrets.token_urlsafe(50)
FACTOR_KEY = Fernet.generate_key().decode()
DECIDED = {
    "SECRET_KEY": KEY,
    "PLI_FACTOR_KEYS": FACTOR_KEY,
    "PLI_SITE_URL": "https://pli.example.org",
    "PLI_MAIL_DOMAIN": "pli.example.org",
    "PLI_MAIL_FROM": "games@pli.example.org",
    "PLI_VAR": "/var/lib/pli",
    "EMAIL_URL": "smtp+tls://pli:mail-password@mail.example.org:587",
}


def problems(**changed):
    return production_problems(DECIDED | changed)


def only_problem(**changed):
    (problem,) = problems(**changed)
    return problem


def test_what_a_host_has_decided_well_is_accepted():
    assert problems() == []


@pytest.mark.parametrize("name", DECIDED)
@pytest.mark.parametrize("missing", [None, "", "  "])
def test_what_is_missing_or_empty_is_named(name, missing):
    values = {key: value for key, value in DECIDED.items() if key != name}
    if missing is not None:
        values[name] = missing
    (problem,) = production_problems(values)
    assert problem.startswith(f"{name} is missing")


def test_everything_that_is_missing_is_named_at_once():
    found = production_problems({})
    assert sorted(problem.split()[0] for problem in found) == sorted(DECIDED)


def test_a_push_key_that_everybody_can_read_is_refused(monkeypatch):
    monkeypatch.delenv("PLI_PUSH_KEY", raising=False)
    of_make_run = runpy.run_module("config.settings.dev")["PUSH_KEY"]
    for key in (of_make_run, settings_of_tests.PUSH_KEY):
        assert only_problem(PLI_PUSH_KEY=key).startswith("PLI_PUSH_KEY is public")
    assert problems(PLI_PUSH_KEY=secrets.token_urlsafe(32)) == []


def test_the_folder_must_be_named_in_full():
    assert only_problem(PLI_VAR="var").startswith("PLI_VAR must be a full path")


# The secret key ----------------------------------------------------------------------------------


@pytest.mark.parametrize("key", ["...", "hunter2", "changeme", "49", "ab" * 40, "a1b2c3" * 10])
def test_a_short_or_simple_secret_key_is_refused(key):
    key = KEY[:49] if key == "49" else key
    problem = only_problem(SECRET_KEY=key)
    assert problem.startswith("SECRET_KEY is too ")
    assert key == "..." or key not in problem


@pytest.mark.parametrize(
    "key",
    [
        "django-insecure-9z!x8w7v6u5t4s3r2q1p0o9n8m7l6k5j4i3h2g1f0e9d8c7",
        "change-me-0123456789-abcdefghijklmnopqrstuvwxyz-0123456789",
        "your_secret_key_goes_here_0123456789_abcdefghijklmnopqrst",
        "PLACEHOLDER 0123456789 abcdefghijklmnopqrstuvwxyz 0123456789",
    ],
)
def test_a_secret_key_that_only_keeps_a_place_is_refused(key):
    problem = only_problem(SECRET_KEY=key)
    assert problem.startswith("SECRET_KEY is a placeholder")
    assert key not in problem


SPELT_OUT = re.compile(r"""SECRET_KEY["']?\s*[:=]+\s*["']?([^\s"'`,$(]{3,})""")
"""A secret key as settings, a Makefile, an environment file or YAML spell it out."""

WAS_PUBLIC = "not-a-secret-but-as-long-and-varied-as-a-real-one-0123456789"
"""What the Makefile once checked the deployment with: it stays in the project's history."""


def test_no_secret_key_that_this_project_spells_out_is_accepted():
    root = settings.BASE_DIR
    files = [*root.glob("config/settings/*.py"), *root.glob("docs/**/*.md"), root / "README.md"]
    files += [root / name for name in ("Makefile", "compose.yaml", "Dockerfile")]
    texts = [path.read_text(encoding="utf-8") for path in files if path.is_file()]
    found = {key for text in texts for key in SPELT_OUT.findall(text)}
    assert "..." in found
    for key in {*found, settings_of_tests.SECRET_KEY, WAS_PUBLIC}:
        assert only_problem(SECRET_KEY=key).startswith("SECRET_KEY is "), key


def test_the_key_of_make_run_is_refused(monkeypatch):
    monkeypatch.delenv("SECRET_KEY", raising=False)
    key = runpy.run_module("config.settings.dev")["SECRET_KEY"]
    problem = only_problem(SECRET_KEY=key)
    assert problem.startswith("SECRET_KEY is public")


def test_the_factor_key_of_make_run_is_refused(monkeypatch):
    monkeypatch.delenv("PLI_FACTOR_KEYS", raising=False)
    (key,) = runpy.run_module("config.settings.dev")["FACTOR_KEYS"]
    for keys in (key, f"{FACTOR_KEY},{key}"):
        problem = only_problem(PLI_FACTOR_KEYS=keys)
        assert problem.startswith("PLI_FACTOR_KEYS is public")


@pytest.mark.parametrize("make", [secrets.token_urlsafe, secrets.token_hex])
def test_a_random_secret_key_is_accepted(make):
    for _ in range(200):
        assert problems(SECRET_KEY=make(50)) == []


# The keys of second factors ----------------------------------------------------------------------


def test_several_factor_keys_are_accepted():
    keys = [Fernet.generate_key().decode() for _ in range(3)]
    assert problems(PLI_FACTOR_KEYS=", ".join(keys)) == []


@pytest.mark.parametrize("key", ["...", "hunter2-hunter2-hunter2", "b25seQ=="])
def test_what_is_no_factor_key_is_refused(key):
    for keys in (key, f"{DECIDED['PLI_FACTOR_KEYS']},{key}"):
        problem = only_problem(PLI_FACTOR_KEYS=keys)
        assert problem.startswith("PLI_FACTOR_KEYS must be Fernet keys")
        assert key == "..." or key not in problem


def test_the_factor_keys_of_make_run_and_the_tests_are_refused(monkeypatch):
    monkeypatch.delenv("PLI_FACTOR_KEYS", raising=False)
    (of_make_run,) = runpy.run_module("config.settings.dev")["FACTOR_KEYS"]
    (of_the_tests,) = settings_of_tests.FACTOR_KEYS
    for key in (of_make_run, of_the_tests):
        for keys in (key, f"{DECIDED['PLI_FACTOR_KEYS']},{key}"):
            assert only_problem(PLI_FACTOR_KEYS=keys).startswith("PLI_FACTOR_KEYS is public")


# The site and its hosts --------------------------------------------------------------------------


@pytest.mark.parametrize("url", ["http://pli.example.org", "pli.example.org", "HTTP://pli.org"])
def test_a_site_without_tls_is_refused(url):
    problem = only_problem(PLI_SITE_URL=url)
    assert problem.startswith("PLI_SITE_URL must begin with https://")


@pytest.mark.parametrize(
    ("site", "host"),
    [
        ("https://pli.example.org", "pli.example.org"),
        ("https://PLI.example.org:8443", "pli.example.org"),
        ("https://[2001:db8::1]:8443", "[2001:db8::1]"),
    ],
)
@pytest.mark.parametrize("unset", ["", " "])
def test_without_allowed_hosts_the_host_of_the_site_alone_is_allowed(site, host, unset):
    assert allowed_hosts(unset, site) == [host]
    assert problems(PLI_SITE_URL=site, ALLOWED_HOSTS=unset) == []


def test_more_hosts_may_be_allowed():
    hosts = "pli.example.org, www.pli.example.org"
    assert allowed_hosts(hosts, DECIDED["PLI_SITE_URL"]) == hosts.split(", ")
    assert problems(ALLOWED_HOSTS=hosts) == []
    assert problems(ALLOWED_HOSTS="Pli.Example.org") == []


@pytest.mark.parametrize(
    "hosts", ["*", "pli.example.org,*", "pli.example.org,.example.org", "pli.example.org,*.org"]
)
def test_a_wildcard_among_the_allowed_hosts_is_refused(hosts):
    assert only_problem(ALLOWED_HOSTS=hosts).startswith("ALLOWED_HOSTS must name each host in full")


@pytest.mark.parametrize(
    "hosts", ["example.org", "pli.example.org:8000", "https://pli.example.org"]
)
def test_allowed_hosts_without_the_host_of_the_site_are_refused(hosts):
    problem = only_problem(ALLOWED_HOSTS=hosts)
    assert problem.startswith("ALLOWED_HOSTS does not contain the host of PLI_SITE_URL")


# Mail without encryption -------------------------------------------------------------------------

PLAIN = [
    ("EMAIL_URL", "smtp://pli:mail-password@mail.example.org:25"),
    ("EMAIL_URL", "smtp://192.0.2.7"),
    ("IMAP_URL", "imap://pli:mail-password@mail.example.org/INBOX"),
    ("IMAP_URL", "IMAP://pli:mail-password@192.0.2.7:143/INBOX"),
]


@pytest.mark.parametrize(("name", "url"), PLAIN)
def test_mail_is_not_sent_or_fetched_without_tls(name, url):
    problem = only_problem(**{name: url})
    assert problem.startswith(f"{name} has no TLS")
    assert "mail-password" not in problem


@pytest.mark.parametrize(
    ("name", "url"),
    [
        ("EMAIL_URL", "smtp://localhost:25"),
        ("EMAIL_URL", "smtp://127.0.0.2:25"),
        ("EMAIL_URL", "smtp://[::1]:25"),
        ("EMAIL_URL", "smtp+ssl://mail.example.org"),
        ("EMAIL_URL", "smtp://mail.example.org?EMAIL_USE_TLS=1"),
        ("EMAIL_URL", "consolemail://"),
        ("IMAP_URL", "imap://pli:word@localhost/INBOX"),
        ("IMAP_URL", "imap://pli:word@[::1]:143/INBOX"),
        ("IMAP_URL", "imaps://pli:word@mail.example.org/INBOX"),
        ("IMAP_URL", ""),
    ],
)
def test_tls_is_not_asked_for_on_the_same_machine(name, url):
    assert problems(**{name: url}) == []


@pytest.mark.parametrize(("name", "scheme"), [("EMAIL_URL", "smtp"), ("IMAP_URL", "imap")])
def test_a_trusted_network_may_be_named(name, scheme):
    inside, outside = (
        f"{scheme}://me:word@192.0.2.7/INBOX",
        f"{scheme}://me:word@198.51.100.7/INBOX",
    )
    networks = "10.0.0.0/8, 192.0.2.0/24,2001:db8::/32"
    assert problems(PLI_TRUSTED_NETWORKS=networks, **{name: inside}) == []
    assert (
        problems(
            PLI_TRUSTED_NETWORKS=networks, **{name: f"{scheme}://me:word@[2001:db8::25]/INBOX"}
        )
        == []
    )
    problem = only_problem(PLI_TRUSTED_NETWORKS=networks, **{name: outside})
    assert problem.startswith(f"{name} has no TLS")


@pytest.mark.parametrize(
    ("networks", "is_trusted"),
    [("192.0.2.0/24,2001:db8::/32", True), ("192.0.2.0/24", False), ("2001:db8::/32", False)],
)
def test_a_name_is_trusted_only_if_all_its_addresses_are(monkeypatch, networks, is_trusted):
    def addresses(host, port, **hints):
        assert host == "mail.example.org"
        kind = (socket.SOCK_STREAM, socket.IPPROTO_TCP, "")
        return [
            (socket.AF_INET, *kind, ("192.0.2.7", 0)),
            (socket.AF_INET6, *kind, ("2001:db8::7%2", 0, 0, 2)),
        ]

    monkeypatch.setattr(socket, "getaddrinfo", addresses)
    found = problems(EMAIL_URL="smtp://mail.example.org:25", PLI_TRUSTED_NETWORKS=networks)
    assert (found == []) is is_trusted


def test_a_name_without_addresses_is_not_trusted():
    url, networks = "smtp://no-such-host.invalid:25", "0.0.0.0/0,::/0"
    problem = only_problem(EMAIL_URL=url, PLI_TRUSTED_NETWORKS=networks)
    assert problem.startswith("EMAIL_URL has no TLS")


@pytest.mark.parametrize("networks", ["10.0.0.0/33", "mail.example.org", "10.0.0.0/8,office"])
def test_a_network_that_is_none_is_named(networks):
    problem = only_problem(PLI_TRUSTED_NETWORKS=networks)
    assert problem.startswith("PLI_TRUSTED_NETWORKS must be networks such as 10.0.0.0/8")


@pytest.mark.parametrize(
    "url",
    ["http://mail.example.org", "smtp+tls://", "smtp://me:hunter2@mail.example.org:99999", "mail"],
)
def test_an_address_of_no_mail_server_is_refused_without_its_password(url):
    problem = only_problem(EMAIL_URL=url)
    assert problem.startswith("EMAIL_URL must be an address such as smtp+tls://")
    assert "hunter2" not in problem
