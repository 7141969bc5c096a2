"""What the tests of the outbox have in common."""

import os
import signal
import subprocess
import sys
from contextlib import contextmanager
from email import message_from_bytes, policy

from django.conf import settings
from django.core import mail
from django.db import connection

from games.services import turns
from notifications.models import Notice
from notifications.outbox.delivery import send_due
from notifications.outbox.digests import send_digests
from notifications.outbox.recipients import make_notices


def tell(now):
    """Write the notices of what has happened and send them after their hold; return how many."""
    make_notices(now=now)
    return send_due(now=after_hold(now))


def sent(now):
    """Send what is due; return who got which kind."""
    mail.outbox.clear()
    send_due(now=now)
    kinds = [(m.to[0].partition("@")[0], m.extra_headers["X-Pli-Kind"]) for m in mail.outbox]
    return sorted(kinds)


def digest(now):
    """Write and send what is due; return the digest as one parses it, None without one."""
    mail.outbox.clear()
    send_digests(now=now)
    send_due(now=now)
    found = [m for m in mail.outbox if m.extra_headers["X-Pli-Kind"] == "digest"]
    assert len(found) <= 1
    return (
        message_from_bytes(found[0].message().as_bytes(), policy=policy.default) if found else None
    )


def after_hold(now):
    """Return when what is written now is sent, if nothing else keeps it."""
    return now + settings.MAIL_HOLD


def play(game, user, text, now):
    """Play a turn for `user`."""
    game.refresh_from_db()
    number = game.turn_number
    return turns.play_turn(
        game_id=game.pk, user=user, text=text, expected_turn=number, via="web", now=now
    )


def forget():
    """Take what was written so far for sent, so that a test sees only what comes next."""
    Notice.objects.filter(state=Notice.State.WAITING).update(state=Notice.State.SENT)


def told(now):
    """Return who was told what by the events since, as (kind, person or address) pairs."""
    before = set(Notice.objects.values_list("pk", flat=True))
    make_notices(now=now)
    fresh = Notice.objects.exclude(pk__in=before).select_related("user")
    return sorted((n.kind, n.user.username if n.user else n.address) for n in fresh)


def html_of(message):
    """Return a mail's HTML, as Django or as Python's parser holds it."""
    if hasattr(message, "alternatives"):
        return message.alternatives[0][0]
    return next(p.get_content() for p in message.walk() if p.get_content_type() == "text/html")


def use_server(settings, port):
    """Send by SMTP to a port of this machine."""
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST = "127.0.0.1"
    settings.EMAIL_PORT = port
    settings.EMAIL_TIMEOUT = 60  # a busy machine may keep it waiting


_SENDER = """
import sys
import django
from django.utils.dateparse import parse_datetime
django.setup()
from django.conf import settings
from notifications.outbox.delivery import send_due
settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
settings.EMAIL_HOST, settings.EMAIL_PORT, settings.EMAIL_TIMEOUT = "127.0.0.1", int(sys.argv[1]), 60
print("ready", flush=True)
sys.stdin.readline()
print(send_due(now=parse_datetime(sys.argv[2])), flush=True)
"""


@contextmanager
def sender(port, now):
    """Run a sender as a process of its own; it begins when a line is written to it."""
    process = subprocess.Popen(
        [sys.executable, "-c", _SENDER, str(port), now.isoformat()],
        env=environment(),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout.readline() == "ready\n"
        yield process
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGKILL)
        process.wait()
        process.stdin.close()
        process.stdout.close()


def environment():
    """Return an environment in which a process uses the test's own database."""
    known = connection.settings_dict
    if connection.vendor == "sqlite":
        url = f"sqlite:///{known['NAME']}"
    else:
        person = f"{known['USER']}:{known['PASSWORD']}@" if known["USER"] else ""
        url = f"postgres://{person}{known['HOST']}:{known['PORT']}/{known['NAME']}"
    return {**os.environ, "DATABASE_URL": url, "DJANGO_SETTINGS_MODULE": "config.settings.test"}
