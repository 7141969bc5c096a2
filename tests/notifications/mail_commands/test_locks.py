"""One mail about several games locks them all before any user's row: no deadlock."""

import threading
import time

import pytest
from django.db import connection, transaction

from accounts.users import lock_user
from games.models import Message, Turn
from games.services.locking import locked_game
from notifications.incoming.processing import process_due
from notifications.incoming.receiving import receive
from notifications.models import ReplyAddress
from notifications.services.replies import hash_of, new_token, reply_address
from tests.games.play import begin
from tests.notifications.incoming_mail import answer

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgresql]


def somebody_waits():
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_locks WHERE NOT granted")
        return cursor.fetchone()[0] > 0


def test_a_player_at_its_last_game_is_not_waited_for_while_the_senders_row_is_locked(
    ann, bob, cat, now
):
    first, second = begin(ann, bob, now=now), begin(ann, cat, now=now)
    token = new_token()
    ReplyAddress.objects.create(
        token_hash=hash_of(token),
        user=ann,
        purpose=ReplyAddress.Purpose.DIGEST,
        content=[[1, second.pk, 0], [2, first.pk, 0]],
        created_at=now,
    )
    raw = answer(token, "2 5 hello\n1 7\n", ann.email)
    receive(raw, recipient=reply_address(token), envelope_from="", door="pipe", now=now)
    settled = []

    def process():
        settled.append(process_due(now=now))
        connection.close()

    reader = threading.Thread(target=process)
    with transaction.atomic():
        locked_game(second.pk)  # as who plays there, whose next step is to lock who is to move
        reader.start()
        deadline = time.monotonic() + 30
        while not somebody_waits():
            assert time.monotonic() < deadline
        lock_user(ann.pk)
    reader.join(30)
    assert settled == [1]
    assert Turn.objects.count() == 2
    assert Message.objects.get().text == "hello"
