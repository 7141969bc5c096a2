"""How long random histories are: short and the same in `make test`, long in `make histories`."""

import os

from hypothesis import HealthCheck, settings

CHAOS = int(os.environ.get("PLI_CHAOS", "0"))
"""How many times as many histories are made up, by chance then; 0 for the tests of every day."""


def histories() -> settings:
    """Return Hypothesis's settings for a state machine."""
    return settings(
        max_examples=12 * CHAOS or 8,
        stateful_step_count=30,
        deadline=None,
        database=None,
        derandomize=not CHAOS,
        print_blob=bool(CHAOS),
        suppress_health_check=list(HealthCheck),
    )
