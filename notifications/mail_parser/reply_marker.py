"""The line at the top of our mails: text above it is the person's."""

from collections.abc import Sequence

MARKERS: tuple[str, ...] = (
    "Reply above this line.",
    "Répondez au-dessus de cette ligne.",
)
"""The line in every language of our mails; the templates translate the first."""

_MOST = 80
"""Characters of a line that may be the marker, with everything that mail programs put around it."""


def _letters(text: str) -> str:
    return "".join(c for c in text.casefold() if c.isalpha())


_KNOWN = frozenset(_letters(marker) for marker in MARKERS)
_HALVES = frozenset(
    (_letters(" ".join(words[:cut])), _letters(" ".join(words[cut:])))
    for words in (marker.split() for marker in MARKERS)
    for cut in range(1, len(words))
)
"""A mail program that wraps lines may have broken the marker at any of its spaces."""


def is_marker(line: str) -> bool:
    """Tell whether a line is our marker, whatever marks of quoting and emphasis are around it."""
    return len(line) <= _MOST and _letters(line) in _KNOWN


def marker_at(lines: Sequence[str], index: int) -> bool:
    """Tell whether the marker is on the line of this index, or begins there."""
    if is_marker(lines[index]):
        return True
    if index + 1 == len(lines) or max(len(lines[index]), len(lines[index + 1])) > _MOST:
        return False
    first, second = lines[index], lines[index + 1]
    return bool(first and second) and (_letters(first), _letters(second)) in _HALVES
