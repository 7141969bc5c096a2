"""What the tests of mail in have in common: answers as people write them, and the listener."""

import asyncio
import smtplib
import threading
from contextlib import contextmanager
from email import policy
from email.message import EmailMessage
from email.utils import make_msgid
from types import SimpleNamespace

from notifications.kinds.base import kind_of
from notifications.listener import Connections, InboundHandler
from notifications.models import Notice, ReplyAddress
from notifications.outbox.delivery import send_due
from notifications.outbox.recipients import make_notices
from notifications.services.replies import bounce_address, new_reply, reply_address
from tests.notifications.outgoing_mail import after_hold


def token_of(notice, now):
    """Return the token of a notice that is about to be sent."""
    return new_reply(notice, kind_of(notice.kind).reply_purpose_of(notice), now=now)


def turn_token(user, now):
    """Return the token of what this person was told of their game last, without sending it."""
    make_notices(now=now)
    notice = Notice.objects.filter(user=user, game__isnull=False).latest("pk")
    return token_of(notice, now)


def sent_to(user, now):
    """Send what is due, and return the reply address behind the newest mail to this person."""
    make_notices(now=now)
    send_due(now=after_hold(now))
    return ReplyAddress.objects.filter(user=user).latest("pk")


def answer(token, text, sender, *, box="reply", message_id=None, **headers):
    """Return the bytes of a mail from `sender` to a reply address (or a return address)."""
    mail = EmailMessage()
    address = {"reply": reply_address, "bounce": bounce_address}[box]
    mail["From"] = sender
    mail["To"] = address(token)
    mail["Subject"] = "Re: It is your turn"
    mail["Date"] = "Tue, 10 Mar 2026 12:00:00 +0000"
    mail["Message-ID"] = message_id or make_msgid(domain="mail.example.org")
    for name, value in headers.items():
        mail[name.replace("_", "-")] = value
    mail.set_content(text)
    return mail.as_bytes(policy=policy.SMTP)


def report(token, *, status="5.1.1", action="failed", address="ann@example.org"):
    """Return a delivery report (RFC 3464) to a return address."""
    return (
        "From: Mail Delivery Subsystem <MAILER-DAEMON@mx.example.org>\r\n"
        f"To: {bounce_address(token)}\r\n"
        "Subject: Undelivered Mail Returned to Sender\r\n"
        "Date: Tue, 10 Mar 2026 12:00:00 +0000\r\n"
        f"Message-ID: {make_msgid(domain='mx.example.org')}\r\n"
        "Auto-Submitted: auto-replied\r\n"
        "MIME-Version: 1.0\r\n"
        'Content-Type: multipart/report; report-type=delivery-status; boundary="=_b"\r\n'
        "\r\n"
        "--=_b\r\nContent-Type: text/plain; charset=us-ascii\r\n\r\n"
        "I'm sorry to have to inform you that your message could not be delivered.\r\n"
        "\r\n--=_b\r\nContent-Type: message/delivery-status\r\n\r\n"
        "Reporting-MTA: dns; mx.example.org\r\n\r\n"
        f"Final-Recipient: rfc822; {address}\r\n"
        f"Original-Recipient: rfc822;{address}\r\n"
        f"Action: {action}\r\nStatus: {status}\r\n"
        "Remote-MTA: dns; mail.example.org\r\n"
        f"Diagnostic-Code: smtp; 550 {status} No such user here\r\n"
        "\r\n--=_b--\r\n"
    ).encode()


def done(reply):
    """Return what acting on a mail answers, for tests of what is around it."""
    return SimpleNamespace(result="done", notice=SimpleNamespace(user=reply.user))


def act_on_nothing(mail, reply, *, received_at, now, at_play_address=False):
    """Stand in for acting: do nothing, as if all was done."""
    return done(reply)


@contextmanager
def listening(door=None, *, lmtp=False, most=100):
    """Run the listener in a thread; the value is its port."""
    ready, stop = threading.Event(), []
    where = {}

    async def run():
        loop = asyncio.get_running_loop()
        server = await loop.create_server(
            Connections(door or InboundHandler(), lmtp=lmtp, most=most), "127.0.0.1", 0
        )
        where["port"] = server.sockets[0].getsockname()[1]
        stopping = asyncio.Event()
        stop.append(lambda: loop.call_soon_threadsafe(stopping.set))
        ready.set()
        async with server:
            await stopping.wait()

    thread = threading.Thread(target=asyncio.run, args=[run()])
    thread.start()
    assert ready.wait(60)
    try:
        yield where["port"]
    finally:
        stop[0]()
        thread.join()


def hand_in(port, raw, to, sender="ann@example.org", *, lmtp=False):
    """Give a mail to the listener by SMTP, as a mail server would; raise what it is answered."""
    kind = smtplib.LMTP if lmtp else smtplib.SMTP
    with kind("127.0.0.1", port, "mail.example.org", timeout=60) as server:
        server.sendmail(sender, [to], raw)
