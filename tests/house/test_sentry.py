"""Errors are reported to the host's own Sentry, without what could identify a player."""

import gzip
import json
import logging
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import ModuleType

import brotli
import pytest
import sentry_sdk
from django.test import Client
from django.urls import path

from config import urls
from config.sentry import start_reporting
from tests.factories import PersonFactory

TOKEN = "abcdefghij234567abcdefghij"


@pytest.fixture
def sentry():
    """A server that keeps what is reported to it."""
    reports = []

    class Server(BaseHTTPRequestHandler):
        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            unpack = {"gzip": gzip.decompress, "br": brotli.decompress}
            body = unpack[self.headers["Content-Encoding"]](body)
            reports.append(body.decode())
            self.send_response(200)
            self.end_headers()
            self.wfile.write(b"{}")

        def log_message(self, *args):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Server) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        start_reporting(f"http://key@127.0.0.1:{server.server_port}/1")
        yield reports
        sentry_sdk.get_client().close(timeout=10)
        sentry_sdk.init()
        server.shutdown()


def broken(request, token):
    secret = "ann@example.org"
    raise ValueError(f"{secret} could not be read")


@pytest.mark.django_db
def test_an_error_is_reported_without_addresses_and_tokens(sentry, settings):
    urlconf = ModuleType("broken")
    urlconf.urlpatterns = [path("unsubscribe/<str:token>", broken), *urls.urlpatterns]
    urlconf.handler500 = urls.handler500
    settings.ROOT_URLCONF = urlconf
    client = Client(raise_request_exception=False)
    client.force_login(PersonFactory(username="zanzibar"))
    session = client.session.session_key
    answer = client.post(f"/unsubscribe/{TOKEN}?q=ann@example.org", {"text": "private words"})
    assert answer.status_code == 500
    logging.getLogger("games").error("nothing to %s", "bob@example.org")
    sentry_sdk.flush(10)
    text = "\n".join(sentry)
    events = [json.loads(line) for line in text.splitlines() if '"exception"' in line]
    assert events[0]["exception"]["values"][-1]["type"] == "ValueError"
    assert "could not be read" in text
    for private in ("example.org", TOKEN, "private words", session, "zanzibar"):
        assert private not in text


def test_nothing_is_reported_without_the_setting():
    start_reporting("")
    assert not sentry_sdk.get_client().options.get("dsn")
