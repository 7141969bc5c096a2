"""A player's profile: results, how fast they answer, games; each part only for whom they chose.

The number of queries, and of rows that are read, does not grow with the player's games.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.db.models import Q

from accounts.models import Audience, User
from accounts.models.vacation import away_until
from accounts.sql import columns_of, select_rows, time_to_sql
from games.clock.snoozes import LITTLE_TIME
from games.models import Game, KindResults, OpponentResults, Rating
from games.models.game import name_of_game
from games.models.seat import awaiting_count
from games.queries.answering import AnsweringTimes, answering_times
from games.queries.lists import games_of
from games.queries.seats import Viewer

OPPONENTS_SHOWN = 10


@dataclass(frozen=True)
class Profile:
    """A player as `viewer` sees them, from what `person` has of PROFILE_FACTS."""

    person: User
    viewer: Viewer
    now: datetime
    facts: dict[str, Any]

    @cached_property
    def away_until(self) -> datetime | None:
        """Until when the player is away, None if they are here."""
        if not self.facts["is_away"]:
            return None
        return away_until([self.person.pk], self.now).get(self.person.pk)

    @property
    def is_own(self) -> bool:
        """Whether this is the viewer's own profile."""
        return self.viewer.pk == self.person.pk

    @property
    def shows_results(self) -> bool:
        """Whether the viewer sees the player's results."""
        return not self.person.is_bot and self.person.shows(
            self.person.results_shown_to, self.viewer
        )

    @property
    def shows_ratings(self) -> bool:
        """Whether the viewer sees the player's ratings; those of programs everybody sees."""
        return self.person.is_bot or self.shows_results

    @property
    def ratings(self) -> list[Rating]:
        """The player's ratings, those of most games first."""
        found = []
        for row in (self.facts["rating_rows"] or "").split(";") if self.shows_ratings else ():
            if row:
                slug, kind, level, mu, sigma, games = row.split()
                one = Rating(rules_slug=slug, table_kind=kind, level=int(level))
                one.mu, one.sigma, one.games = float(mu), float(sigma), int(games)
                found.append(one)
        return sorted(found, key=lambda one: (-one.games, one.rules_slug, one.table_kind))

    @cached_property
    def kinds(self) -> list[KindResults]:
        """The player's results in each kind of game, the most played first."""
        if not self.shows_results:
            return []
        found = self.person.kind_results.filter(played__gt=0)
        return sorted(found, key=lambda one: (-one.played, name_of_game(one.rules_slug)))

    @property
    def has_feed(self) -> bool:
        """Whether strangers see the player's games, and so programs that read feeds."""
        return self.person.shows(self.person.games_shown_to, AnonymousUser())

    @property
    def is_partly_hidden(self) -> bool:
        """Whether the viewer does not see all that the profile of a person can show."""
        person = self.person
        chosen = (person.results_shown_to, person.times_shown_to, person.games_shown_to)
        return not person.is_bot and not all(person.shows(one, self.viewer) for one in chosen)

    @property
    def total(self) -> KindResults:
        """The sum of `kinds`."""
        return KindResults(
            played=sum(one.played for one in self.kinds),
            won=sum(one.won for one in self.kinds),
            drawn=sum(one.drawn for one in self.kinds),
            out_of_time=sum(one.out_of_time for one in self.kinds),
        )

    @property
    def opponents(self) -> Sequence[OpponentResults]:
        """The opponents of most games of two, without those who do not show the viewer theirs."""
        if not self.shows_results:
            return []
        found = self.person.opponent_results.filter(played__gt=0).select_related("opponent")
        if not self.is_own:
            open_to = [Audience.EVERYBODY]
            if isinstance(self.viewer, User) and not self.viewer.is_guest:
                open_to.append(Audience.MEMBERS)
            found = found.filter(
                Q(opponent__results_shown_to__in=open_to) | Q(opponent=self.viewer.pk)
            )
        return list(found.order_by("-played", "opponent")[:OPPONENTS_SHOWN])

    @property
    def together(self) -> OpponentResults | None:
        """The viewer's results against the player, None without a game of two."""
        played = self.facts["together"]
        if not played:
            return None
        won, drawn = self.facts["together_won"], self.facts["together_drawn"]
        return OpponentResults(played=played, won=won, drawn=drawn)

    @property
    def answering(self) -> AnsweringTimes | None:
        """How long the player's turns took; None if too few are known, or the viewer must not."""
        if self.person.is_bot or not self.person.shows(self.person.times_shown_to, self.viewer):
            return None
        return answering_times(self.person.pk)

    @property
    def games(self) -> Sequence[Game]:
        """The player's newest games that the viewer may see in a list of theirs."""
        return games_of(self.person, self.viewer)


_TOGETHER = """
(SELECT {column} FROM games_opponentresults
 WHERE player_id = %(viewer)s AND opponent_id = accounts_user.id)"""

PROFILE_FACTS = {
    "awaiting_count": awaiting_count("%(viewer)s"),
    "is_blocked": """
EXISTS (
  SELECT 1 FROM accounts_block WHERE by_id = %(viewer)s AND of_id = accounts_user.id
)""",
    "is_followed": """
EXISTS (
  SELECT 1 FROM accounts_follow WHERE by_id = %(viewer)s AND of_id = accounts_user.id
)""",
    "is_away": """
EXISTS (
  SELECT 1 FROM accounts_vacation
  WHERE user_id = accounts_user.id AND begins_at <= %(now)s AND ends_at > %(now)s
)""",
    "running": """
(SELECT COUNT(*) FROM games_seat AS own
 WHERE own.user_id = accounts_user.id AND own.ended_at IS NULL AND own.left_at IS NULL AND (
   SELECT game.status = 'active' FROM games_game AS game WHERE game.id = own.game_id
 ))""",
    "rating_rows": """
(SELECT {join_rows}(
   rules_slug || ' ' || table_kind || ' ' || level || ' ' || mu || ' ' || sigma || ' ' || games, ';'
 ) FROM games_rating WHERE player_id = accounts_user.id)""",
    "together": _TOGETHER.format(column="played"),
    "together_won": _TOGETHER.format(column="won"),
    "together_drawn": _TOGETHER.format(column="drawn"),
}
"""What a profile asks of its player and the viewer besides the player's columns, as SQL.

`join_rows` is what joins texts of several rows in this database."""


def profile_of(username: str, viewer: Viewer, *, now: datetime) -> Profile | None:
    """Return the profile of the user with this name, in upper or lower case; None without one.

    Deleted accounts have no profile.
    """
    if not username.isascii() or not username.isprintable():
        return None  # no user name is so, and PostgreSQL refuses to look for some of them
    values = {
        "name": username.lower(),
        "viewer": viewer.pk or 0,
        "now": time_to_sql(now),
        "in_a_day": time_to_sql(now + LITTLE_TIME),
    }
    join_rows = "string_agg" if connection.vendor == "postgresql" else "group_concat"
    facts = ", ".join(PROFILE_FACTS.values()).replace("{join_rows}", join_rows)
    statement = f"SELECT {columns_of(User)}, {facts} FROM accounts_user"  # noqa: S608
    found = select_rows(
        User, f"{statement} WHERE LOWER(username) = %(name)s", values, PROFILE_FACTS
    )
    for person in found:
        if person.is_former:
            break
        return Profile(person, viewer, now, {name: getattr(person, name) for name in PROFILE_FACTS})
    return None
