"""A page with one board on it, served from this machine alone, strict about scripts and styles."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from games.render.svg import board_svg
from games.rules.base import AnyRules, MoveError
from games.rules.board import Board

STATIC = Path(__file__).parents[2] / "static"
TYPES = {".mjs": "text/javascript", ".css": "text/css", ".woff2": "font/woff2"}
POLICY = "default-src 'none'; " + "; ".join(
    f"{kind}-src 'self'" for kind in ("script", "style", "font", "connect", "img")
)


class Server(ThreadingHTTPServer):
    """Takes as many connections at once as a browser likes to open."""

    request_queue_size = 128
    daemon_threads = True


Answer = tuple[int, Mapping[str, Any]]

PAGE = """<!doctype html><html lang="en" {theme}><meta charset="utf-8"><title>A board</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="/static/css/tokens.css">
<link rel="stylesheet" href="/static/fonts/fonts.css">
<link rel="stylesheet" href="/static/board/board.css"><link rel="stylesheet" href="/page.css">
<script type="module" src="/static/board/board.mjs"></script>
<script type="module" src="/static/board/zoom.mjs"></script>
<main><h1>Ann against Bob</h1>
<section data-board data-preview-url="/preview/?game=7" data-expected-turn="4"
  data-say-start="Choose a square." data-say-more="Now choose where to."
  data-say-finish="Choose the same square again to stop there." data-say-choices="Choose one."
  data-say-next="Your turn goes on."
  data-say-none="Nothing can be played there." data-say-offline="The server does not answer.">
<div class="board-zoom" data-board-zoom hidden>
<button type="button" data-zoom="-1">Smaller</button>
<button type="button" data-zoom="1">Larger</button></div>
<div class="board-sheet" data-board-svg>{svg}</div>
<script type="application/json" data-board-actions>{actions}</script>
<p data-board-status aria-live="polite"></p><div data-board-choices></div>
<form data-board-form method="get" action="/played">
<select name="choice" aria-label="Choices"><option value=""></option>{options}</select>
<input name="text" id="turn-text" aria-label="Your turn">
<button data-board-confirm>Send</button>
<button type="button" data-board-undo hidden>Back</button></form></section></main></html>"""

PAGE_CSS = """body { background: var(--paper); color: var(--ink); font-family: var(--serif); }
main { max-width: 38rem; margin: auto; } [data-board-status] { min-height: 1.5em; }"""


@dataclass
class Desk:
    """What the page shows and what its server answers; `asked` remembers the questions."""

    board: Board
    actions: list[dict[str, Any]]
    preview: Callable[[Mapping[str, str]], Answer]
    hidden: bool = False
    theme: str = ""
    url: str = ""
    asked: list[dict[str, str]] = field(default_factory=list)

    def page(self) -> str:
        """Return the page's source."""
        options = "".join(
            f'<option value="{a["text"]}">{escape(a["words"])}</option>' for a in self.actions
        )
        return PAGE.format(
            svg=board_svg(self.board, title="A board", description="Yours to play", element_id="b"),
            actions=json.dumps({"actions": self.actions, "hidden": self.hidden}),
            options=options,
            theme=f'data-theme="{self.theme}"' if self.theme else "",
        )


def desk_for(rules: AnyRules, turns: tuple[str, ...] = (), **more: Any) -> Desk:
    """Return a desk where one turn of a real game, after `turns`, can be tried."""
    position = rules.initial(rules.check_options({}))
    last: tuple[Any, ...] = ()
    for text in turns:
        last = rules.parse_turn(position, text)
        position = rules.play_turn(position, last)

    def listed(at: Any) -> list[dict[str, Any]]:
        return [
            {
                "text": rules.format(at, a),
                "squares": rules.squares(at, a),
                "words": str(rules.describe(at, a)),
            }
            for a in rules.legal_actions(at)
        ]

    def preview(asked: Mapping[str, str]) -> Answer:
        try:
            actions, after = rules.parse_actions(position, asked["turn"])
        except MoveError as error:
            return 422, {"error": str(error)}
        svg = board_svg(rules.board(after, 0, actions), title="Preview", description="A preview")
        words = f"Ann {rules.describe(position, actions[-1])}."
        text = rules.format_turn(position, actions)
        return 200, {"svg": svg, "notation": text, "words": words, "complete": True, "actions": []}

    return Desk(rules.board(position, 0, last), listed(position), preview, **more)


@contextmanager
def serving(desk: Desk) -> Iterator[Desk]:
    """Serve the desk's page on a free port while the block runs."""

    class Handler(BaseHTTPRequestHandler):
        # Connections are kept: a browser that opens many at once must not find one closed.
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            status, kind, body = answer(desk, parts.path, parts.query)
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Security-Policy", POLICY)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            with suppress(ConnectionError):  # the browser left before the end
                self.wfile.write(body)

        def log_message(self, *args: object) -> None:
            """Say nothing."""

    server = Server(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    desk.url = f"http://127.0.0.1:{server.server_port}"
    try:
        yield desk
    finally:
        server.shutdown()
        server.server_close()


def answer(desk: Desk, path: str, query: str) -> tuple[int, str, bytes]:
    """Return the status, type and body for one request."""
    asked = {name: values[0] for name, values in parse_qs(query).items()}
    if path == "/preview/":
        desk.asked.append(asked)
        status, body = desk.preview(asked)
        return status, "application/json", json.dumps(body).encode()
    if path.startswith("/static/"):
        file = STATIC / path.removeprefix("/static/")
        return 200, TYPES[file.suffix], file.read_bytes()
    kind, text = {
        "/": ("text/html; charset=utf-8", desk.page()),
        "/page.css": ("text/css", PAGE_CSS),
        "/played": ("text/plain; charset=utf-8", f"played {asked.get('text', '')}"),
    }.get(path, ("text/plain", ""))
    return 200, kind, text.encode()
