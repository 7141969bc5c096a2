"""Whole journeys through the running service: real processes, a real browser, nothing else."""

import pytest

pytest.register_assert_rewrite(
    *(f"tests.journeys.{name}" for name in ("people", "letters", "processes", "story", "grown"))
)
