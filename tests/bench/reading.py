"""What it costs to read mails, and how many are read as they were written.

`python -m tests.bench.reading` reads the mails of `tests/corpus`, the most expensive mails we know,
and the tables of lines. For each it prints processor time (best of three) and the most memory that
reading takes at once. With `--corpus DIR` it also reads a public corpus that whoever runs it has
fetched: DIR is a checkout of https://github.com/discourse/email_reply_trimmer (MIT). A turn is put
above each mail of its `test/emails`; it is read as written if the turn is the command, and the
words below it are those of `test/trimmed`.
"""

import argparse
import platform
import time
import tracemalloc
from collections.abc import Iterable
from pathlib import Path
from statistics import median

from notifications.mail_parser import TurnCommand, UnreadableMail, parse, parse_command
from tests.notifications.replies.hostile import HOSTILE

TRIES = 3
SHOWN = 8
TURN = "57"
TESTS = Path(__file__).parent.parent


def result_of(raw: bytes) -> str:
    """Return what becomes of a mail, in a word."""
    try:
        mail = parse(raw)
    except UnreadableMail as refused:
        return refused.reason
    parse_command(mail.lines)
    return f"{len(mail.lines)} lines"


def cost_of(raw: bytes) -> tuple[float, int]:
    """Return the processor time of reading a mail, in seconds, and the most bytes it takes."""
    costs = []
    for _ in range(TRIES):
        began = time.process_time()
        result_of(raw)
        costs.append(time.process_time() - began)
    tracemalloc.start()
    result_of(raw)
    _now, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return min(costs), most


def show(title: str, mails: Iterable[tuple[str, bytes]], shown: int) -> None:
    """Print the median and the worst of some mails, and the most expensive ones by name."""
    found = sorted(((*cost_of(raw), name, len(raw)) for name, raw in mails), reverse=True)
    times, memory = [one[0] * 1000 for one in found], [one[1] / 1024 for one in found]
    print(f"\n{title}: {len(found)}")
    print(f"  time    median {median(times):8.2f} ms   worst {max(times):8.2f} ms")
    print(f"  memory  median {median(memory):8.0f} kB   worst {max(memory):8.0f} kB")
    for cost, most, name, size in found[:shown]:
        print(f"  {cost * 1000:7.1f} ms {most / 1024:7.0f} kB  of {size / 1024:5.0f} kB  {name}")


def as_mail(text: str) -> bytes:
    """Return a mail with this text."""
    return f"From: ann@example.org\nMessage-ID: <1@example.org>\n\n{text}".encode()


def lines_of_tables() -> list[tuple[str, bytes]]:
    """Return the lines of the grammar's tables, each as a mail."""
    found = []
    for path in sorted((TESTS / "corpus" / "lines").glob("*.txt")):
        rows = path.read_text(encoding="utf-8").splitlines()
        rows = [row for row in rows if row and not row.startswith(("# ", "game: ", "after: "))]
        found += [(row, as_mail(row.rpartition(" | ")[2])) for row in rows]
    return found


def words(text: str) -> list[str]:
    """Return the words of a text, to compare without its breaks."""
    return text.replace("\ufeff", "").split()


def read_public_corpus(folder: Path) -> None:
    """Print how many mails of a public corpus are read as they were written."""
    total = turns = whole = 0
    for path in sorted((folder / "test" / "emails").glob("*.txt")):
        expected = folder / "test" / "trimmed" / path.name
        if not expected.exists():
            continue
        total += 1
        mail = parse(as_mail(f"{TURN}\n{path.read_text(encoding='utf-8')}"))
        command, _message = parse_command(mail.lines)
        is_turn = command == TurnCommand(TURN)
        turns += is_turn
        said = words(expected.read_text(encoding="utf-8"))
        as_written = is_turn and words("\n".join(mail.lines))[1:] == said
        whole += as_written
        if not as_written:
            print(f"  not as written: {path.name}" + ("" if is_turn else " (not the turn)"))
    print(f"\nPublic corpus: {total} mails; the turn read in {turns}, all as written in {whole}")


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpus", type=Path, help="a checkout of email_reply_trimmer")
    folder = parser.parse_args().corpus
    print(f"Python {platform.python_version()}; processor time, best of {TRIES}")
    corpus = sorted((TESTS / "corpus").glob("*.eml"))
    show("Mails of mail programs", ((path.stem, path.read_bytes()) for path in corpus), SHOWN)
    show("Mails made to cost much", HOSTILE.items(), SHOWN)
    show("Lines of the grammar's tables", lines_of_tables(), 0)
    if folder is not None:
        read_public_corpus(folder)


if __name__ == "__main__":
    main()
