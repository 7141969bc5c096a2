"""Measures whether account forms answer known and unknown addresses in equal time.

`python -m tests.bench.accounts` runs on a PostgreSQL server of its own, with the password hasher
of production. Known and unknown addresses take turns, so that what else the machine does weighs on
both alike. Prints medians in milliseconds, and how far known lies from unknown.
"""

import os
import time
from collections.abc import Callable
from statistics import median

from tests.servers import postgresql

SAMPLES = 15
PASSWORD = "a long walk home"


def forms() -> dict[str, Callable[[str, int], dict[str, str]]]:
    """Return what is sent to each form for an address, the how-manieth time."""
    return {
        "account_signup": lambda address, number: {
            "username": f"newcomer{number}",
            "email": address,
            "password1": PASSWORD,
        },
        "account_login": lambda address, number: {"login": address, "password": "wrong"},
        "account_reset_password": lambda address, number: {"email": address},
        "account_request_login_code": lambda address, number: {"email": address},
    }


def seconds_of(path: str, answers: dict[str, str]) -> float:
    """Return how long the answer to a form took, in a browser that was never here."""
    from django.core.cache import cache
    from django.test import Client

    cache.clear()
    client = Client()
    began = time.perf_counter()
    answer = client.post(path, answers)
    spent = time.perf_counter() - began
    assert answer.status_code in (200, 302), answer.status_code
    return spent


def measure() -> None:
    """Print a line for each form."""
    from django.core.management import call_command
    from django.urls import reverse

    from tests.factories import PersonFactory

    call_command("migrate", verbosity=0)
    call_command("createcachetable", verbosity=0)
    people = [PersonFactory(username=f"ann{number}") for number in range(SAMPLES + 1)]
    print(f"{'':28} {'known':>9} {'unknown':>9} {'difference':>11}")
    for name, answers_to in forms().items():
        spent: dict[str, list[float]] = {"known": [], "unknown": []}
        for number, person in enumerate(people):
            unknown = f"{name}{number}@example.net"
            # Which of the two goes first changes, too.
            turns = [("known", person.email, 2 * number), ("unknown", unknown, 2 * number + 1)]
            for which, address, sample in turns if number % 2 else reversed(turns):
                spent[which].append(seconds_of(reverse(name), answers_to(address, sample)))
        known, unknown_ = (median(times[1:]) * 1000 for times in spent.values())
        print(f"{name:28} {known:9.1f} {unknown_:9.1f} {known / unknown_ - 1:+11.1%}", flush=True)
    print(f"\nmedians of {SAMPLES} answers each, in ms; the first of each is not counted")


def main() -> None:
    """Bring the server, measure, and take it away again."""
    with postgresql() as address:
        os.environ |= {
            "DATABASE_URL": address,
            "DJANGO_SETTINGS_MODULE": "config.settings.test",
            "PLI_LOG_LEVEL": "ERROR",
        }
        import django
        from django.test import override_settings

        from config.settings import base

        django.setup()
        with override_settings(PASSWORD_HASHERS=base.PASSWORD_HASHERS):
            measure()


if __name__ == "__main__":
    main()
