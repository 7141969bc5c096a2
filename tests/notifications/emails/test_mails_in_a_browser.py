"""Every mail as a browser shows it, on a phone and in a window: nothing is broken in two."""

import pytest
from django.core import mail

from games.services import endings
from tests.factories import PersonFactory
from tests.games.multiplayer import gather, play_on
from tests.games.play import begin, play_all
from tests.lanes import long
from tests.notifications.outgoing_mail import html_of, tell
from tests.notifications.replies.every_mail import letters_to

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

LONG_NAME = "Featherstonehaugh"

MEASURE = """
() => {
  const isLink = (node) => node.parentElement.closest(".link, style, title, .preheader");
  const isOnOneLine = (node, start, end) => {
    const range = document.createRange();
    range.setStart(node, start);
    range.setEnd(node, end);
    return new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size <= 1;
  };
  const broken = [], texts = document.createTreeWalker(document, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    if (isLink(node)) continue;
    const pattern = node.parentElement.closest(".notation") ? /[^\\s,]+/g : /[^\\s-]+/g;
    for (const { 0: word, index } of node.data.matchAll(pattern)) {
      if (word.includes("://") || isOnOneLine(node, index, index + word.length)) continue;
      broken.push(word);
    }
  }
  const sheet = document.querySelector(".letter");
  const isWide = ({ scrollWidth, clientWidth }) => scrollWidth > clientWidth;
  return { broken, wide: isWide(document.documentElement) || isWide(sheet) };
}
"""


CONTRAST = """
() => {
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const parts = (colour) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    return [...canvas.getImageData(0, 0, 1, 1).data];
  };
  const light = (colour) => {
    const [red, green, blue] = parts(colour).map((part) => {
      const share = part / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const behind = (element) => {
    for (let one = element; one; one = one.parentElement) {
      const { backgroundColor } = getComputedStyle(one);
      if (parts(backgroundColor)[3] === 255) return backgroundColor;
    }
    return "canvas";
  };
  const found = [], texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const element = node.parentElement;
    if (!node.data.trim() || element.closest("style, .preheader")) continue;
    const pair = [light(getComputedStyle(element).color), light(behind(element))];
    const ratio = (Math.max(...pair) + 0.05) / (Math.min(...pair) + 0.05);
    found.push([ratio, node.data.trim()]);
  }
  const scheme = document.querySelector('meta[name="color-scheme"]').content;
  return { found, scheme, sheet: light(behind(document.querySelector("h1"))) };
}
"""
"""How each text stands out from what is behind it, as WCAG 2.2 counts, 1 to 21."""

READABLE = 4.5
"""The least contrast of text, by WCAG 2.2 (1.4.3)."""


@pytest.fixture
def letters(ann, bob, cat, now):
    """Every mail that is written about games, and the last ones of two games with their records."""
    bob.display_name = LONG_NAME
    bob.save()
    people = [ann, bob, cat, PersonFactory(username="dan")]
    letters_to(people, now)
    turns = ["11", "12", "22", "23", "33", "31", "14", "41", "15", "51", "16", "61"]
    short = play_all(begin(ann, bob, now=now, slug="super-morpion"), turns, now=now)
    endings.resign(game_id=short.pk, user=ann, now=now)
    long = play_on(gather([ann, bob], now=now, variant="two"), 30, now=now)
    endings.resign(game_id=long.pk, user=ann, now=now)
    tell(now)
    records = [sent for sent in mail.outbox if 'class="record"' in html_of(sent)]
    assert any(">61<" in html_of(sent) for sent in records)
    assert any("x" in sent.body for sent in records)
    others = {sent.extra_headers["X-Pli-Kind"]: sent for sent in mail.outbox}
    return [html_of(sent) for sent in (*records, *others.values())]


@pytest.mark.parametrize("width", [360, *long(600)])
def test_no_notation_and_no_name_is_broken_in_two(letters, browser, width):
    page = browser.new_page(viewport={"width": width, "height": 800})
    named = 0
    for html in letters:
        page.set_content(html)
        named += LONG_NAME in html
        found = page.evaluate(MEASURE)
        assert found == {"broken": [], "wide": False}, page.locator("h1").text_content()
    assert named > 0
    page.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_letters_are_readable_in_light_and_dark(letters, browser, scheme):
    page = browser.new_page(viewport={"width": 360, "height": 800}, color_scheme=scheme)
    for html in letters:
        page.set_content(html)
        measured = page.evaluate(CONTRAST)
        assert measured["scheme"] == "light dark"
        assert (measured["sheet"] < 0.1) == (scheme == "dark")
        faint = [one for one in measured["found"] if one[0] < READABLE]
        assert faint == [], page.locator("h1").text_content()
    page.close()
