"""What a browser loads on its first visit to a host's own server, with an empty cache."""

import json
import re
from collections import deque
from pathlib import Path
from urllib.parse import urljoin

import pytest
from django.core.management import call_command
from django.test import Client, override_settings
from django.utils import timezone

from config.offline import ICONS
from tests.games.play import begin, play

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

MOST = 48_000
"""Bytes of all that a page links, packed, without fonts."""
MOST_WITH_PAGE = 70_000
MOST_OF_FONTS = 72_000
"""Bytes of roman and italic for the two languages of the site."""

YEAR = "max-age=31536000, public, immutable"
PACKED = {"Accept-Encoding": "gzip, br"}

_LINKED = re.compile(
    r'<(?:script|link|img)\b[^>]*?(?:src|href)="(/static/[^"]+)"|data-[\w-]+="(/static/[^"]+)"'
)
_NAMED = {
    ".css": re.compile(r'url\("?([^")]+)"?\)'),
    ".mjs": re.compile(r'(?:from|import)\s*\(?"([./][^"]+)"'),
}


@pytest.fixture(scope="module")
def collected(tmp_path_factory):
    """Static files as production collects and serves them."""
    changed = {
        "STATIC_ROOT": tmp_path_factory.mktemp("static"),
        "STORAGES": {
            "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
            "staticfiles": {"BACKEND": "config.static_files.StaticFilesStorage"},
        },
        "WHITENOISE_USE_FINDERS": False,
        "WHITENOISE_AUTOREFRESH": False,
    }
    with override_settings(**changed):
        call_command("collectstatic", interactive=False, verbosity=0)
        yield Path(changed["STATIC_ROOT"])


@pytest.fixture
def visitor(collected, ann):
    client = Client()
    client.force_login(ann)
    return client


@pytest.fixture
def pages(ann, bob):
    return ["/", begin(ann, bob, now=timezone.now()).get_absolute_url()]


def loaded_by(client, html):
    """Return the answer for each static file that a page needs, and that these need in turn."""
    found, answers = deque(a or b for a, b in _LINKED.findall(html)), {}
    while found:
        path = found.popleft()
        if path in answers or path.startswith("data:"):
            continue
        answer = client.get(path, headers=PACKED)
        assert answer.status_code == 200, path
        answer.body = b"".join(answer.streaming_content)
        answers[path] = answer
        if named := _NAMED.get(Path(path).suffix):
            whole = b"".join(client.get(path).streaming_content).decode()
            found += [urljoin(path, name) for name in named.findall(whole) if name[:5] != "data:"]
    return answers


def is_font(path):
    return path.endswith(".woff2")


def is_loaded_later(path):
    """Tell whether browsers load a file only when somebody keeps the page as an app."""
    return "/img/icon" in path


def test_a_first_visit_is_small(visitor, pages):
    for page in pages:
        html = visitor.get(page, headers=PACKED)
        files = loaded_by(visitor, visitor.get(page).text)
        sizes = {
            path: len(answer.body)
            for path, answer in files.items()
            if not is_font(path) and not is_loaded_later(path)
        }
        assert len(sizes) > 10, "the links of the page were found"
        assert sum(sizes.values()) <= MOST, sizes
        assert sum(sizes.values()) + len(html.content) <= MOST_WITH_PAGE


def test_a_strangers_first_visit_is_small(collected, ann, bob):
    play(begin(ann, bob, now=timezone.now()), ann, "5", now=timezone.now())
    stranger = Client()
    html = stranger.get("/").text
    sizes = {
        path: len(answer.body)
        for path, answer in loaded_by(stranger, html).items()
        if not is_font(path) and not is_loaded_later(path)
    }
    drawings = set(re.findall(r'(?:src|data-image)="(/boards/[^"]+)"', html))
    assert len(drawings) > 15, "the drawings of the page were found"
    sizes |= {path: len(stranger.get(path, headers=PACKED).content) for path in drawings}
    packed = stranger.get("/", headers=PACKED)
    assert sum(sizes.values()) + len(packed.content) <= MOST_WITH_PAGE, sizes


def test_fonts_are_small(visitor, pages):
    fonts = {path: len(a.body) for path, a in loaded_by(visitor, visitor.get("/").text).items()}
    roman_and_italic = [size for path, size in fonts.items() if "literata-latin-wght" in path]
    assert len(roman_and_italic) == 2
    assert sum(roman_and_italic) <= MOST_OF_FONTS


def test_what_is_text_travels_packed_and_everything_is_kept_for_a_year(visitor, pages):
    for page in pages:
        for path, answer in loaded_by(visitor, visitor.get(page).text).items():
            assert answer["Cache-Control"] == YEAR, path
            if len(answer.body) > 200 and not path.endswith((".woff2", ".png")):
                assert answer["Content-Encoding"] == "br", path


def test_gzip_is_there_for_who_takes_no_brotli(visitor):
    path = next(p for p in loaded_by(visitor, visitor.get("/").text) if "/css/pli." in p)
    answer = visitor.get(path, headers={"Accept-Encoding": "gzip"})
    assert answer["Content-Encoding"] == "gzip"


def test_a_module_and_an_icon_are_named_with_their_hashes(collected):
    manifest = json.loads((collected / "staticfiles.json").read_text())["paths"]
    board = (collected / manifest["board/board.mjs"]).read_text()
    assert f'"./{Path(manifest["board/drawing.mjs"]).name}"' in board
    app = Client().get("/site.webmanifest").json()
    icons = [file for file, _, _, _ in ICONS]
    assert [one["src"] for one in app["icons"]] == [f"/static/{manifest[file]}" for file in icons]
