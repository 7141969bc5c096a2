"""What a push service gets: RFC 8291 (encryption) and RFC 8292 (who sends it) hold it."""

import time
from datetime import UTC, datetime, timedelta
from urllib.parse import urlsplit

import http_ece
import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from notifications import public_http
from notifications.models import PushSubscription
from notifications.push import transport
from tests.push_service import Browser, decoded, verified_claims

# RFC 8291, section 5 and appendix A.
PLAIN = b"When I grow up, I want to be a watermelon"
RECEIVER = "q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94"
SENDER = "yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"
SECRET = "BTBZMqHH6r4Tts7J_aSIgg"
SALT = "DGv6ra1nlYgDCS1FRnbzlw"
ENCRYPTED = (
    "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIg"
    "Dll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN"
)


def key_of(text):
    return ec.derive_private_key(int.from_bytes(decoded(text)), ec.SECP256R1())


def receiver():
    browser = Browser()
    browser.key, browser.secret = key_of(RECEIVER), decoded(SECRET)
    return browser


def test_the_library_encrypts_and_decrypts_the_example_of_the_rfc():
    given = receiver().subscription
    made = http_ece.encrypt(
        PLAIN,
        salt=decoded(SALT),
        private_key=key_of(SENDER),
        dh=decoded(given["p256dh"]),
        auth_secret=decoded(given["auth"]),
        version="aes128gcm",
    )
    assert made == decoded(ENCRYPTED)
    read = http_ece.decrypt(
        decoded(ENCRYPTED),
        private_key=key_of(RECEIVER),
        auth_secret=decoded(SECRET),
        version="aes128gcm",
    )
    assert read == PLAIN


def test_only_the_browser_reads_a_message_and_no_two_look_alike():
    browser = Browser()
    made = [
        transport.encrypt_push(b'{"title": "Bonjour"}', PushSubscription(**browser.subscription))
        for _ in range(2)
    ]
    assert browser.read(made[0]) == browser.read(made[1]) == {"title": "Bonjour"}
    assert made[0][:16] != made[1][:16]  # the salt
    with pytest.raises(http_ece.ECEException):
        Browser().read(made[0])


def test_the_longest_message_fits_what_every_push_service_takes():
    row = PushSubscription(**Browser().subscription)
    assert len(transport.encrypt_push(b"x" * transport.MAX_PAYLOAD, row)) == 4096


def test_the_header_says_who_sends_to_whom_and_until_when(settings):
    settings.DEFAULT_FROM_EMAIL = "Games <games@example.org>"
    now = datetime.now(UTC)
    header = transport.authorization(urlsplit("https://push.example.org/browsers/1"), now)
    claims = verified_claims(header, transport.public_key())
    expires = claims.pop("exp")
    assert claims == {"aud": "https://push.example.org", "sub": "mailto:games@example.org"}
    assert time.time() + 3600 < expires <= time.time() + timedelta(days=1).total_seconds()


@pytest.mark.parametrize("text", ["", "A" * 42, "A" * 43, "é" * 43, "A" * 44, "_" * 43])
def test_what_is_no_private_key_is_refused(text):
    with pytest.raises(ValueError, match=r"."):
        transport.private_key_of(text)


@pytest.mark.parametrize(
    "endpoint",
    [
        "https://fcm.googleapis.com/fcm/send/dPx:APA91b",
        "https://updates.push.services.mozilla.com/wpush/v2/gAAA",
        "https://web.push.apple.com/QGj",
        "https://push.example.org:443/browsers/1?token=a%20b",
    ],
)
def test_an_address_of_a_push_service_is_taken(endpoint):
    assert public_http.is_public_url(endpoint)


@pytest.mark.parametrize(
    "endpoint",
    [
        *("", "push.example.org/1", "http://push.example.org/1", "https://", "https:///1"),
        *("https://localhost/1", "https://127.0.0.1/1", "https://[::1]/1", "https://2130706433/1"),
        *("https://10.0.0.1/1", "https://0x7f.1/1", "https://push.example.org:8443/1"),
        *("https://a@push.example.org/1", "https://push.example.org/1#a", "https://[/1"),
        *("https://push.example.org/\n", "https://push.example.org/a b", "https://pusé.org/1"),
        *("ftp://push.example.org/1", "https://push.example.org:x/1", "https://push.example.org./"),
    ],
)
def test_any_other_address_is_refused(endpoint):
    assert not public_http.is_public_url(endpoint)


def test_an_address_of_this_machine_is_taken_only_from_the_push_service_of_the_tests(settings):
    assert not public_http.is_public_url("http://127.0.0.1:9000/1")
    settings.PUBLIC_HTTP_TEST_SERVER = "http://127.0.0.1:9000"
    assert public_http.is_public_url("http://127.0.0.1:9000/1")
    for other in ("http://127.0.0.1:90001/1", "http://127.0.0.1:9000@example.org/1"):
        assert not public_http.is_public_url(other)


@pytest.mark.parametrize(
    "address",
    [
        *("127.0.0.1", "10.1.2.3", "192.168.1.1", "169.254.169.254", "0.0.0.0", "224.0.0.1"),  # noqa: S104
        *("::1", "fe80::1%1", "fd00::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::"),
    ],
)
def test_a_name_that_leads_into_a_private_network_is_not_connected_to(monkeypatch, address):
    public = "93.184.216.34"

    def resolve(host, port, **more):
        return [(None, None, None, "", (one, port)) for one in (public, address)]

    monkeypatch.setattr(public_http.socket, "getaddrinfo", resolve)
    with pytest.raises(public_http.UnsafeAddress):
        public_http.public_address("push.example.org", 443)


def test_a_public_address_is_connected_to(monkeypatch):
    answer = [(None, None, None, "", ("93.184.216.34", 443))]
    monkeypatch.setattr(public_http.socket, "getaddrinfo", lambda *args, **more: answer)
    assert public_http.public_address("push.example.org", 443) == "93.184.216.34"
