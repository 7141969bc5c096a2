"""Whether a page costs more when more is stored: a million games, or a thousand turns of one.

`make bench-size` runs it, with what `tests.bench.web` brings. Two pairs of sites are the same but
for that, and take turns at each case; the ratio of the processor time of a request (web server and
PostgreSQL) may be `MOST` at most. Games of a thousand turns are short ones in which a turn was
played and taken back again and again, so that both stand at the same position.
"""

import argparse
import sys

from tests.bench.web.__main__ import measure, ratios, show, versions
from tests.bench.web.load import chosen
from tests.bench.web.sites import ROOT, Bench, missing_programs

MOST = 1.1
FEW, MANY = 1_000, 1_000_000
"""How many games of others are stored."""
SHORT, LONG = 10, 1_000
"""How many turns have been played in a game."""
EACH = 20
"""How many games each pair plays, where a game has many turns."""


def main() -> int:
    """Measure both, print the tables, and return 0 when no ratio is above `MOST`."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.size", description=__doc__)
    parser.add_argument("--games", type=int, default=MANY, help="how many are many")
    parser.add_argument("--only", choices=["games", "turns"], help="one of the two")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=4, help="of each case, site and round")
    asked = parser.parse_args()
    if missing := missing_programs():
        print(f"Missing: {', '.join(missing)}. On Debian: apt install wrk redis-server")
        return 1
    missed = 0
    for what, names, names_of_cases, choices in (
        ("turns", ("Short", "Long"), "turn", [{"entries": SHORT}, {"entries": LONG}]),
        ("games", ("Few", "Many"), "home,turn", [{"stored": FEW}, {"stored": asked.games}]),
    ):
        if asked.only not in (None, what):
            continue
        with Bench() as bench:
            print(f"{versions(bench)}\n{names[0]}: {choices[0]}, {names[1]}: {choices[1]}")
            sites = [
                bench.pli(
                    ROOT, name=name, **({"each": EACH} if "entries" in choice else {}), **choice
                )
                for name, choice in zip(names, choices, strict=True)
            ]
            cases = chosen(names_of_cases)
            found = measure(bench, sites, cases, asked.rounds, asked.seconds)
            for case in cases:
                show(case, names, found)
                cpu, _ = ratios(*(found[case.name, name] for name in names))
                missed += cpu > MOST
    print(f"medians of {asked.rounds} rounds; {missed} ratios by CPU are above {MOST}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
