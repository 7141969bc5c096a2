"""Somebody acts between two steps of what somebody else does, with a connection of their own."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, TimeoutError
from itertools import count
from typing import Any

from django.db import connection

from games import errors

PATIENCE = 0.08
"""Seconds to wait for an act inside of somebody else's transaction: its locks may stop the act."""

TIMEOUT = 60.0


class Step:
    """Lets somebody act before the query with a number; `act` is called in a thread of its own.

    Outside of transactions they are done before the query begins. Inside, where `inside` is true,
    they may have to wait until the transaction is over, as another process would have to.
    """

    def __init__(self, number: int, act: Callable[[], Any], *, inside: bool = False) -> None:
        self.left, self.act, self.inside = number, act, inside
        self.answer: Future[Any] | None = None

    def __call__(self, execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        is_step = self.inside or not connection.in_atomic_block
        if self.answer is None and is_step:
            self.left -= 1
            if self.left < 0:
                self._let_act()
        return execute(sql, params, many, context)

    def _let_act(self) -> None:
        other = ThreadPoolExecutor(1)
        self.answer = other.submit(_answer_alone, self.act)
        other.shutdown(wait=False)
        try:
            self.answer.result(PATIENCE if connection.in_atomic_block else TIMEOUT)
        except TimeoutError:
            assert connection.in_atomic_block, "somebody does not get on"


def each_step(
    make: Callable[[], Any],
    task: Callable[[Any], Any],
    act: Callable[[Any], Any],
    *,
    inside: bool = False,
) -> Any:
    """Yield what `make` made, what the task returned, and what the other one was answered.

    Both are given what was made, anew for each step of the task. A refusal is its name.
    """
    for number in count():
        made = make()
        step = Step(number, lambda made=made: act(made), inside=inside)
        with connection.execute_wrapper(step):
            done = answer(lambda made=made: task(made))
        if step.answer is None:
            assert number, "it has no steps"
            return
        yield made, done, step.answer.result(TIMEOUT)


def answer(act: Callable[[], Any]) -> Any:
    """Return what somebody is answered, the name of a refusal if it is one."""
    try:
        return act()
    except errors.Refusal as refusal:
        return refusal.code


def _answer_alone(act: Callable[[], Any]) -> Any:
    try:
        return answer(act)
    finally:
        connection.close()
