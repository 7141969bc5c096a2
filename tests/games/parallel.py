"""Several processes that do something to one database at the same moment.

The processes are forked from one that has loaded everything and has no connection of its own:
each is a real process with a connection of its own, as many web workers and sweeps are.
"""

import multiprocessing
import signal
from datetime import datetime
from typing import Any

TIMEOUT = 40.0

_here = multiprocessing.get_context("forkserver")
_here.set_forkserver_preload(["tests.games.parallel_jobs"])


def at_once(*work: list[tuple[str, dict[str, Any]]]) -> list[list[Any]]:
    """Give each process its list of jobs; all begin each round together.

    A job is a name of tests.games.parallel_jobs with its arguments, where `user` is the username of
    who acts; the answer is what it returned, or the name of the refusal.
    """
    from django.db import connection

    from tests.games import parallel_jobs

    name = str(connection.settings_dict["NAME"])
    barrier = _here.Barrier(len(work))
    pipes, processes = [], []
    for jobs in work:
        ours, theirs = _here.Pipe()
        one = _here.Process(target=parallel_jobs.follow, args=(name, jobs, barrier, theirs))
        one.start()
        pipes.append(ours)
        processes.append(one)
    try:
        answers = [_answer(pipe) for pipe in pipes]
    except BaseException:
        for one in processes:
            one.terminate()
        raise
    for one in processes:
        one.join(TIMEOUT)
        assert one.exitcode == 0
    return answers


def sweeper(now: datetime) -> Any:
    """Begin a process that sweeps until nothing is due; it may be killed at any moment."""
    from django.db import connection

    from tests.games import parallel_jobs

    name = str(connection.settings_dict["NAME"])
    process = _here.Process(target=parallel_jobs.sweep_on, args=(name, now))
    process.start()
    return process


def play_until_killed(jobs: list[tuple[str, dict[str, Any]]], point: str, count: int) -> None:
    """Let a process play turns and be killed on its way: see `parallel_jobs.play_until_killed`."""
    from django.db import connection

    from tests.games import parallel_jobs

    name = str(connection.settings_dict["NAME"])
    process = _here.Process(target=parallel_jobs.play_until_killed, args=(name, jobs, point, count))
    process.start()
    process.join(TIMEOUT)
    assert process.exitcode == -signal.SIGKILL


def run_until_killed(chore: str, now: datetime, point: str, count: int) -> None:
    """Let a process run a chore once and be killed on its way: see `parallel_jobs.KILLED_IN`."""
    from django.db import connection

    from tests.games import parallel_jobs

    arguments = str(connection.settings_dict["NAME"]), chore, now, point, count
    process = _here.Process(target=parallel_jobs.run_until_killed, args=arguments)
    process.start()
    process.join(TIMEOUT)
    assert process.exitcode == -signal.SIGKILL


def write_letters_until_killed(now: datetime, point: str) -> None:
    """Let a process write letters with the puzzle and be killed on its way."""
    from django.db import connection

    from tests.games import parallel_jobs

    arguments = str(connection.settings_dict["NAME"]), now, point
    process = _here.Process(target=parallel_jobs.write_letters_until_killed, args=arguments)
    process.start()
    process.join(TIMEOUT)
    assert process.exitcode == -signal.SIGKILL


def think_until_killed(now: datetime) -> None:
    """Let a process think about the turn of a program and be killed meanwhile."""
    from django.db import connection

    from tests.games import parallel_jobs

    name = str(connection.settings_dict["NAME"])
    process = _here.Process(target=parallel_jobs.think_until_killed, args=(name, now))
    process.start()
    process.join(TIMEOUT)
    assert process.exitcode == -signal.SIGKILL


def think(*, now: datetime) -> tuple[str, dict]:
    """The job of playing for programs."""
    return "think", {"now": now}


def _answer(pipe: Any) -> list[Any]:
    assert pipe.poll(TIMEOUT), "a process does not answer"
    return pipe.recv()


def turn(game: Any, user: Any, text: str, *, now: datetime, expected: int = 0) -> tuple[str, dict]:
    """The job of playing a turn."""
    job = {"game_id": game.pk, "user": user.username, "text": text}
    return "turn", job | {"now": now, "expected": expected}


def sweep(*, now: datetime) -> tuple[str, dict]:
    """The job of ending what is due."""
    return "sweep", {"now": now}


def join(game: Any, user: Any, *, now: datetime) -> tuple[str, dict]:
    """The job of sitting down."""
    return "join", {"game_id": game.pk, "user": user.username, "now": now}


def join_by_link(token: str, user: Any, *, now: datetime) -> tuple[str, dict]:
    """The job of sitting down at the table of a link."""
    return "join_by_link", {"token": token, "user": user.username, "now": now}


def resign(game: Any, user: Any, *, now: datetime) -> tuple[str, dict]:
    """The job of resigning."""
    return "resign", {"game_id": game.pk, "user": user.username, "now": now}
