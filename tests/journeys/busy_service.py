"""Work for a service whose database is not the tests': `python -m tests.journeys.busy_service`.

`... fill MAILS` fills the outbox, `... begin SECONDS` begins a game whose first turn has so much
time left.
"""

import sys
from datetime import timedelta

import django
from django.utils import timezone


def fill(mails):
    from notifications.models import Kind, Notice

    content = {"subject": "News", "text": "News\n", "html": "<p>News</p>"}
    now = timezone.now()
    for n in range(int(mails)):
        Notice.objects.create(
            kind=Kind.ACCOUNT,
            address=f"p{n}@example.org",
            content=content,
            message_id=f"<busy.{n}@example.org>",
            created_at=now,
            due_at=now,
        )


def begin(seconds):
    from tests.factories import PersonFactory
    from tests.games.play import begin as begin_game

    ann, bob = PersonFactory(username="ann"), PersonFactory(username="bob")
    began = timezone.now() + timedelta(seconds=float(seconds)) - timedelta(days=2)
    begin_game(ann, bob, now=began, days=2)


if __name__ == "__main__":
    django.setup()
    {"fill": fill, "begin": begin}[sys.argv[1]](sys.argv[2])
