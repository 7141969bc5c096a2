"""Every mail as a browser shows it, on a phone and in a window: nothing is broken in two."""

import pytest
from django.core import mail

from games.services import endings
from tests.factories import PersonFactory
from tests.games.multiplayer import gather, play_on
from tests.games.play import begin, play_all
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


@pytest.mark.parametrize("width", [360, 600])
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
