"""The figures of `make lint` are measured as they say, and a worse one fails."""

import pytest

from tests import figures

SOURCE = {
    "games/long.py": "import games.middle\n\n\ndef _once():\n    pass\n\n\ndef use():\n"
    "    _once()\n",
    "games/middle.py": "from games import end\n\n\nclass A:\n    def _twice(self):\n"
    "        self._twice()\n        self._twice()\n",
    "games/end.py": "x = 1\n" * 30 + "\n\ndef later():\n    import games.long\n",
    "games/__init__.py": "",
    "games/apps.py": "x = 1\n",
}


def test_each_figure_is_measured():
    assert figures.measure(SOURCE) == {
        "lines": 9 + 7 + 34 + 0 + 1,
        "lines-of-the-longest-file": 34,
        "small-files": 2,
        "percent-of-functions-private-and-used-once": 25.0,
        "longest-chain-of-imports": 3,
    }


def test_a_cycle_counts_once():
    cycle = {"a": {"b"}, "b": {"a", "c"}, "c": set()}
    assert figures.longest_chain(cycle) == 3


@pytest.mark.parametrize(("more", "code"), [(0, 0), (1, 1)])
def test_a_figure_worse_than_its_limit_fails(monkeypatch, capsys, more, code):
    worst = {name: value + more for name, value in figures.measure(SOURCE).items()}
    limits = "\n".join(f"{name} = {value}" for name, value in figures.measure(SOURCE).items())
    monkeypatch.setattr(figures, "read_limits", lambda: figures.tomllib.loads(limits))
    monkeypatch.setattr(figures, "measure", lambda source: worst)
    assert figures.main() == code
    assert ("WORSE" in capsys.readouterr().out) is bool(code)
