"""Which tests a run takes. `pytest` alone takes the fast lane, `tests.run` takes every test.

A test gets its lane from what it uses: a browser's fixture, threads or processes that compete, a
process that it starts. What only takes long carries `@pytest.mark.slow` itself.
"""

import inspect
import os
import subprocess
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import pytest

from tests import racing
from tests.games import crowd

LANES = ("race", "browser", "slow")
"""The markers that the fast lane leaves out."""

FAST = " and ".join(f"not {lane}" for lane in LANES)

CORES = os.cpu_count() or 1

RACES = [racing.at_once, crowd.at_once, crowd.sweeper, ThreadPoolExecutor]
PROCESSES = [subprocess, subprocess.run, subprocess.Popen]


def mark(item: pytest.Function, conftests: Iterable[ModuleType]) -> None:
    """Give a test the markers of what it uses."""
    places = [item.module, *(one for one in conftests if _reaches(one, item))]
    used = list(_used_by(item, places))
    if "playwright" in item.fixturenames:
        item.add_marker("browser")
    if item.path.stem.endswith("_races") or any(one in RACES for one in used):
        item.add_marker("race")
    if item.get_closest_marker("journey") or any(one in PROCESSES for one in used):
        item.add_marker("slow")


def _reaches(conftest: ModuleType, item: pytest.Item) -> bool:
    """Tell whether a conftest's fixtures are there for a test."""
    return item.path.is_relative_to(Path(str(conftest.__file__)).parent)


def _used_by(item: pytest.Function, places: Sequence[ModuleType]) -> Iterator[Any]:
    """Yield what the test, its fixtures and the helpers that they call refer to by name."""
    waiting = [item.function]
    for name in item.fixturenames:
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
