"""What a process of the crowd can do. Imported once, before the processes are forked."""

import django

django.setup()

from django.db import connection  # noqa: E402

from accounts.models import User  # noqa: E402
from games.models import Turn  # noqa: E402
from games.services import tables  # noqa: E402
from games.services.clock import remind_due, time_out_due  # noqa: E402
from games.services.errors import Refusal  # noqa: E402
from games.services.turns import play_turn  # noqa: E402


def turn(*, game_id, username, text, expected, now):
    played = play_turn(
        game_id=game_id,
        user=User.objects.get(username=username),
        text=text,
        expected_turn=expected,
        via=Turn.Via.WEB,
        now=now,
    )
    return "already" if played.already else "played"


def sweep(*, now):
    return time_out_due(now=now)


def remind(*, now):
    return remind_due(now=now)


def expire(*, now):
    return tables.expire_due(now=now)


def join(*, game_id, username, now):
    tables.join_table(game_id=game_id, user=User.objects.get(username=username), now=now)
    return "seated"


JOBS = {"turn": turn, "sweep": sweep, "remind": remind, "expire": expire, "join": join}


def follow(database, jobs, barrier, pipe):
    """Do the jobs one after another, each together with everybody else's."""
    connection.settings_dict["NAME"] = database
    connection.ensure_connection()
    answers = []
    for name, arguments in jobs:
        barrier.wait(60)
        try:
            answers.append(JOBS[name](**arguments))
        except Refusal as refusal:
            answers.append(refusal.code)
    connection.close()
    pipe.send(answers)
