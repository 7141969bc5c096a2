"""Which tests a run takes. `pytest` alone takes the fast lane, `tests.run` all but the long ones.

A test gets its lane from what it uses: a browser's fixture, threads or processes that compete, a
process that it starts. What only takes seconds carries `@pytest.mark.slow` itself. Long tests
repeat shorter ones at length: with other games, in other languages, for other readers.
"""

import inspect
import os
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import pytest

from tests import racing
from tests.games import parallel

LANES = ("race", "browser", "slow", "long")
"""The markers that the fast lane leaves out."""

FAST = " and ".join(f"not {lane}" for lane in LANES)

CORES = os.cpu_count() or 1

RACES = [racing.at_once, parallel.at_once, parallel.sweeper, ThreadPoolExecutor]
PROCESSES = [subprocess, subprocess.run, subprocess.Popen]


def long(*values: Any) -> list[Any]:
    """Return parameters whose tests are long ones; a tuple holds the values of several names."""
    marks = pytest.mark.long
    return [
        pytest.param(*(one if isinstance(one, tuple) else (one,)), marks=marks) for one in values
    ]


def mark(item: pytest.Function, conftests: Iterable[ModuleType]) -> None:
    """Give a test the markers of what it uses."""
    reachable = (one for one in conftests if _reaches(str(one.__file__), item.path))
    races, starts = _uses(item.function, tuple(item.fixturenames), (item.module, *reachable))
    if "playwright" in item.fixturenames:
        item.add_marker("browser")
    if item.path.stem.endswith("_races") or races:
        item.add_marker("race")
    if item.get_closest_marker("journey") or starts:
        item.add_marker("slow")


@cache
def _reaches(conftest: str, test: Path) -> bool:
    """Return whether a conftest's fixtures are there for a test."""
    return test.is_relative_to(Path(conftest).parent)


@cache  # tests with many parameters are one function
def _uses(
    function: FunctionType, fixtures: Sequence[str], places: Sequence[ModuleType]
) -> tuple[bool, bool]:
    """Return whether a test uses threads that compete, and whether it starts processes."""
    used = list(_used_by(function, fixtures, places))
    return any(one in RACES for one in used), any(one in PROCESSES for one in used)


def _used_by(
    function: FunctionType, fixtures: Sequence[str], places: Sequence[ModuleType]
) -> Iterator[Any]:
    """Yield what the test, its fixtures and the helpers that they call refer to by name."""
    waiting: list[Any] = [function]
    for name in fixtures:
        waiting += [vars(place)[name] for place in places if name in vars(place)]
    seen = set()
    while waiting:
        one = inspect.unwrap(waiting.pop())
        if id(one) in seen:
            continue
        seen.add(id(one))
        for found in _referred_to(one):
            yield found
            if str(getattr(found, "__module__", "")).startswith("tests."):
                waiting.append(found)


def _referred_to(one: Any) -> Iterator[Any]:
    """Yield the globals that a function, or a class's methods, name."""
    if isinstance(one, type):
        for method in vars(one).values():
            yield from _referred_to(getattr(method, "fget", method))
    if not isinstance(one, FunctionType):
        return
    names = set(_names(one.__code__))
    for name in names & one.__globals__.keys():
        found = one.__globals__[name]
        yield found
        if isinstance(found, ModuleType) and found.__name__.startswith("tests."):
            yield from (vars(found)[other] for other in names & vars(found).keys())


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)
