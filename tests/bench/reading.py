"""Measures what the most expensive mails cost to read: `python -m tests.bench.reading`.

Prints processor time, best of three, in milliseconds; a mail may cost 200.
"""

import time

from notifications.mail_parser import UnreadableMail, parse
from tests.notifications.replies.hostile import HOSTILE

TRIES = 3


def result_of(raw):
    """Return what becomes of a mail, in a word."""
    try:
        return f"{len(parse(raw).lines)} lines"
    except UnreadableMail as refused:
        return refused.reason


def cost_of(raw):
    """Return the processor time of reading a mail, in seconds, the best of a few tries."""
    costs = []
    for _ in range(TRIES):
        began = time.process_time()
        result_of(raw)
        costs.append(time.process_time() - began)
    return min(costs)


def main():
    """Print a line for each mail, the most expensive first."""
    found = [(cost_of(raw), name, len(raw), result_of(raw)) for name, raw in HOSTILE.items()]
    for cost, name, size, result in sorted(found, reverse=True):
        print(f"{cost * 1000:7.1f} ms  {size / 1024:5.0f} kB  {name:40} {result}")


if __name__ == "__main__":
    main()
