"""What a host gets wrong in the environment is said before anything starts."""

import pytest
from django.core.checks import run_checks


def complaints():
    return [error.msg for error in run_checks() if error.id == "config.E001"]


def test_what_make_run_decides_is_right():
    assert complaints() == []


@pytest.mark.parametrize(
    ("variable", "setting", "value"),
    [
        ("PLI_SITE_URL", "SITE_URL", "games.example.org"),
        ("PLI_SITE_URL", "SITE_URL", "https://"),
        ("PLI_SITE_URL", "SITE_URL", "https://games.example.org/pli"),
        ("PLI_SITE_URL", "SITE_URL", "https://me@games.example.org"),
        ("PLI_SITE_URL", "SITE_URL", "ftp://games.example.org"),
        ("PLI_MAIL_FROM", "DEFAULT_FROM_EMAIL", "Games"),
        ("PLI_MAIL_DOMAIN", "MAIL_DOMAIN", "games@example.org"),
        ("PLI_REPLY_DOMAIN", "REPLY_DOMAIN", "play example.org"),
        ("PLI_LISTEN", "LISTEN", "2525"),
        ("PLI_PROBE_URL", "PROBE_URL", "games.example.org/healthz"),
        ("PLI_PROBE_URL", "PROBE_URL", "https:///healthz"),
        ("PLI_PROBE_SMTP", "PROBE_SMTP", "2525"),
        ("PLI_HOST_ADDRESS", "HOST_ADDRESS", "host"),
        ("PLI_AUTHSERV_ID", "AUTHSERV_IDS", ["mx.example.org", "mx example org"]),
        ("PLI_AUTHSERV_ID", "AUTHSERV_IDS", ["mx.example.org;"]),
        ("PLI_SECURITY_CONTACT", "SECURITY_CONTACT", "security@example.org"),
        ("PLI_SECURITY_CONTACT", "SECURITY_CONTACT", "mailto:security"),
        ("PLI_SECURITY_CONTACT", "SECURITY_CONTACT", "http://example.org/security"),
        ("PLI_SECURITY_CONTACT", "SECURITY_CONTACT", "https://"),
        ("PLI_SECURITY_CONTACT", "SECURITY_CONTACT", "https://example.org/\nContact: mailto:me"),
        ("PLI_PUSH_KEY", "PUSH_KEY", "too-short"),
        ("IMAP_URL", "IMAP_URL", "https://me:secret@mail.example.org/INBOX"),
    ],
)
def test_one_wrong_variable_is_named(settings, variable, setting, value):
    setattr(settings, setting, value)
    (complaint,) = complaints()
    assert complaint.startswith(f"{variable} must be ")
    assert "secret" not in complaint
