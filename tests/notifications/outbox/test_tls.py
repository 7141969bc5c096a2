"""Mail servers that speak TLS, from the beginning or once they are asked to."""

import ssl
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from ipaddress import ip_address

import pytest
from aiosmtpd.controller import Controller
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from notifications.models import Notice
from notifications.outbox.delivery import send_due
from tests import smtp
from tests.notifications.outbox.test_delivery import notice_to, recipients
from tests.notifications.outgoing_mail import use_server
from tests.servers import free_port


@pytest.fixture
def context(tmp_path, monkeypatch):
    """What a server at 127.0.0.1 speaks TLS with; we trust it."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "a mail server")])
    today = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(today - timedelta(days=1))
        .not_valid_after(today + timedelta(days=1))
        .add_extension(
            x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))]), critical=False
        )
        .sign(key, hashes.SHA256())
    )
    public, private = tmp_path / "certificate.pem", tmp_path / "key.pem"
    public.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    private.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )
    monkeypatch.setenv("SSL_CERT_FILE", str(public))
    found = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    found.load_cert_chain(public, private)
    return found


@contextmanager
def running(sink, **tls):
    controller = Controller(sink, hostname="127.0.0.1", port=free_port(), **tls)
    controller.start()
    try:
        yield controller.port
    finally:
        controller.stop()


@pytest.mark.parametrize(
    ("setting", "option"), [("EMAIL_USE_SSL", "ssl_context"), ("EMAIL_USE_TLS", "tls_context")]
)
def test_mails_go_out_by_tls(db, settings, context, now, setting, option):
    sink = smtp.Sink()
    notice_to("ann@example.org", now)
    notice_to("bob@example.org", now)
    setattr(settings, setting, True)
    with running(sink, **{option: context}) as port:
        use_server(settings, port)
        assert send_due(now=now) == 2
    assert recipients(sink) == ["ann@example.org", "bob@example.org"]


def test_a_server_by_tls_that_does_not_confirm_a_mail_is_known(db, settings, context, now):
    sink = smtp.Sink()
    sink.unreliable = True
    notice_to("ann@example.org", now)
    settings.EMAIL_USE_TLS = True
    with running(sink, tls_context=context) as port:
        use_server(settings, port)
        assert send_due(now=now) == 0
    assert Notice.objects.get().unconfirmed_at == now
