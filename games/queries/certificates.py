"""The certificate of a player at a season's end: a picture like the card of a game.

It says no more than the page of the season. Its address names what it shows for good, as those of
`site_cards` do: when a moderator changes a result, or the player their name, it has another one.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC
from typing import cast

from django.conf import settings
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import get_language, gettext, ngettext

from games.models import Season, SeasonEntry
from games.queries.cross_tables import TableRow
from games.queries.leagues import DivisionTable, division_tables
from games.queries.site_cards import card_digest, draw_card, drawn_name, example_board, site_host
from games.render.card import Card, Postmark, card_svg
from games.rules.board import Board


@dataclass(frozen=True)
class Certificate:
    """What a certificate says, in the language in which it was made."""

    entry: int
    rules_slug: str
    card: Card

    @property
    def digest(self) -> str:
        """The name for all that it shows."""
        return card_digest(self.rules_slug, self.card)

    @property
    def png_address(self) -> str:
        """The address of the picture as PNG, of this site."""
        return reverse("certificate", args=[self.entry, get_language(), self.digest, "png"])

    @property
    def svg_address(self) -> str:
        """The address of the picture as SVG, of this site."""
        return reverse("certificate", args=[self.entry, get_language(), self.digest, "svg"])

    @property
    def words(self) -> str:
        """What it says, for those who do not see it."""
        whose = {"season": self.card.label, "player": self.card.title}
        return " ".join([gettext("%(season)s: %(player)s.") % whose, *self.card.lines])

    def png(self) -> bytes:
        """Return the picture as PNG."""
        return draw_card(self.card, self._board, "wide", get_language() or "en")

    def svg(self) -> str:
        """Return the picture as SVG."""
        return card_svg(self.card, self._board, shape="wide", translate=gettext)

    @property
    def _board(self) -> Board:
        return cast(Board, example_board(self.rules_slug))  # None for the site alone


def certificate_of(entry_id: int) -> Certificate | None:
    """Return the certificate of an entry in the active language; None if there is none.

    There is one for who played in a season that is over, and did not leave it; of a team it is that
    of the first player's entry. Four queries.
    """
    found = SeasonEntry.objects.filter(pk=entry_id, season__ended_at__isnull=False)
    entry = found.select_related("season__league").exclude(order=None).first()
    if entry is None:
        return None
    (table,) = division_tables(entry.season, only=entry.division_id)
    row = next(one for one in table.rows if one.entry.pk == entry_id)
    return certificate_for(entry.season, table, row)


def certificates_in(season: Season, tables: Iterable[DivisionTable]) -> dict[int, Certificate]:
    """Return the certificates of a season that is over, by the keys of its entries."""
    found = (
        (row.entry.pk, certificate_for(season, table, row))
        for table in tables
        for row in table.rows
    )
    return {key: one for key, one in found if one is not None}


def certificate_for(season: Season, table: DivisionTable, row: TableRow) -> Certificate | None:
    """Return the certificate of a row, in the active language; None for who left the season."""
    if season.ended_at is None or row.entry.gone_at is not None:
        return None
    standing = row.standing
    values = {
        "place": standing.place,
        "of": len(table.rows),
        "division": table.division.number,
        "points": standing.points,
        "won": standing.won,
        "drawn": standing.drawn,
        "lost": standing.lost,
    }
    points = ngettext("%(points)s point", "%(points)s points", standing.points)
    results = gettext("%(won)s won, %(drawn)s drawn, %(lost)s lost")
    ended = min(season.ended_at, season.final_at).astimezone(UTC)
    card = Card(
        label=str(season),
        title=" & ".join(map(drawn_name, row.entry.staying)),
        lines=(
            gettext("Place %(place)s of %(of)s in division %(division)s.") % values,
            f"{points} – {results}." % values,
        ),
        site=settings.SITE_NAME,
        postmark=Postmark(site_host(), date_format(ended, "j M"), date_format(ended, "Y")),
    )
    return Certificate(row.entry.pk, season.league.rules_slug, card)
