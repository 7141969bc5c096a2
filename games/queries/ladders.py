"""Ladders, their places and challenges: what pages, mails and the API show of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth.models import AnonymousUser
from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils.translation import gettext

from accounts.models import Block, User, Vacation
from games.competition.ladders import AGAIN_AFTER, MOST_AT_ONCE, REACH
from games.models import Club, Ladder, LadderChallenge, LadderPlace
from games.rules.registry import UnknownGame, all_rules, rules_for

State = LadderChallenge.State

PAGE = 50
"""How many places a page of a ladder shows."""

NEWEST = 10
"""How many of the challenges that were over last a ladder's page shows."""


def has_ladder(rules_slug: str) -> bool:
    """Return whether a game has a ladder: those of two players have one."""
    try:
        rules = rules_for(rules_slug)
    except UnknownGame:
        return False
    return rules.seats(rules.check_options({})) == 2  # noqa: PLR2004  (a challenge is for two)


def nearest_above(own: LadderPlace, *, now: datetime) -> list[LadderPlace]:
    """Return the places that the player of a place can challenge, the nearest first; one query.

    Not counted is who cannot play them: who is suspended or about to leave the site, and where one
    of the two has blocked the other. Whether somebody is away or has enough challenges is not asked
    here.
    """
    blocks = Block.objects.filter(by=own.user_id).values("of")
    blocked_by = Block.objects.filter(of=own.user_id).values("by")
    above = LadderPlace.objects.filter(
        Q(user__barred_until=None) | Q(user__barred_until__lte=now),
        ladder=own.ladder_id,
        place__lt=own.place,
        user__is_active=True,
        user__deletion_due_at=None,
    )
    near = above.exclude(user__in=blocks).exclude(user__in=blocked_by)
    return list(near.select_related("user").order_by("-place")[:REACH])


# What pages show ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class LadderCard:
    """A game that has a ladder: how many players it has, and the viewer's place, if any."""

    rules_slug: str
    name: str
    size: int
    own_place: int | None


def ladder_cards(user: User | AnonymousUser, club: Club | None = None) -> list[LadderCard]:
    """Return the ladders of all games for two, of the site or of a club; one query.

    Also those that nobody has joined.
    """
    own = LadderPlace.objects.filter(ladder=OuterRef("pk"), user=user.pk).order_by()
    own_place = {"own": Subquery(own.values("place"))}
    ladders = _with_sizes(Ladder.objects.filter(club=club))
    found = {one.rules_slug: one for one in ladders.annotate(**own_place)}
    cards = []
    for rules in all_rules():
        if has_ladder(rules.slug):
            ladder = found.get(rules.slug)
            size, place = (ladder.size, ladder.own) if ladder else (0, None)
            cards.append(LadderCard(rules.slug, gettext(rules.name), size, place))
    return cards


def _with_sizes(ladders: QuerySet[Ladder]) -> QuerySet[Ladder]:
    """Return ladders with their number of players, `size`: it is the number of the last place."""
    last = LadderPlace.objects.filter(ladder=OuterRef("pk"), place__isnull=False)
    size = {"size": Coalesce(Subquery(last.order_by("-place").values("place")[:1]), 0)}
    return ladders.annotate(**size)


@dataclass(frozen=True)
class ShownPlace:
    """A place on a page of a ladder, with the challenges at it that go on.

    `can_challenge` says whether the viewer can challenge its player now.
    """

    own: LadderPlace
    is_viewer: bool
    is_away: bool
    can_challenge: bool
    challenges: Sequence[LadderChallenge]


@dataclass(frozen=True)
class LadderPage:
    """A page of a ladder as somebody sees it.

    `own` is the viewer's row, also if they have left. `received` and `made` are their challenges
    that go on, `newest` those of anybody that were over last.
    """

    ladder: Ladder
    size: int
    number: int
    pages: int
    own: LadderPlace | None
    rows: Sequence[ShownPlace]
    received: Sequence[LadderChallenge]
    made: Sequence[LadderChallenge]
    newest: Sequence[LadderChallenge]

    @property
    def is_on_it(self) -> bool:
        """Whether the viewer is on the ladder."""
        return self.own is not None and self.own.place is not None

    @property
    def own_page(self) -> int | None:
        """The page with the viewer's place, if it is another one."""
        if self.own is None or self.own.place is None:
            return None
        page = (self.own.place - 1) // PAGE + 1
        return page if page != self.number else None


def ladder_page(
    rules_slug: str,
    user: User | AnonymousUser,
    number: int,
    *,
    club: Club | None = None,
    now: datetime,
) -> LadderPage:
    """Return a page of the ladder of a game, of the site or of a club; at most four queries.

    The game has one. A ladder that nobody has joined is not stored: it takes one query.
    """
    ladder = _with_sizes(Ladder.objects.filter(rules_slug=rules_slug, club=club)).first()
    if ladder is None:
        ladder = Ladder(rules_slug=rules_slug, club=club)
        return LadderPage(ladder, 0, 1, 1, None, (), (), (), ())
    ladder.club = club
    count = ladder.size
    pages = max(1, -(-count // PAGE))
    number = min(max(1, number), pages)
    first = (number - 1) * PAGE + 1
    away = Vacation.objects.filter(user=OuterRef("user"), begins_at__lte=now, ends_at__gt=now)
    shown = Q(place__range=(first, first + PAGE - 1)) | Q(user=user.pk)
    places = list(
        ladder.places.filter(shown)
        .select_related("user")
        .annotate(is_away=Exists(away))
        .order_by("place")
    )
    own = next((one for one in places if one.user_id == user.pk), None)
    near = nearest_above(own, now=now) if own is not None and own.place is not None else []
    on_page = [one for one in places if one.place and first <= one.place < first + PAGE]
    read = _challenges(ladder, {one.user_id for one in places}, user.pk, now)
    goes_on = [one for one in read if one.state != State.OVER]
    over = [one for one in read if one.state == State.OVER]
    over.sort(key=lambda one: (one.ended_at, one.pk), reverse=True)
    made = [one for one in goes_on if one.challenger_id == user.pk]
    lately = {
        one.challenged_id
        for one in over
        if one.challenger_id == user.pk and one.ended_at and one.ended_at > now - AGAIN_AFTER
    }
    reach = {one.user_id for one in near} - lately if len(made) < MOST_AT_ONCE else set()
    rows = []
    for one in on_page:
        theirs = [
            challenge
            for challenge in goes_on
            if one.user_id in (challenge.challenger_id, challenge.challenged_id)
        ]
        received = [challenge for challenge in theirs if challenge.challenged_id == one.user_id]
        meets = any(user.pk in (each.challenger_id, each.challenged_id) for each in theirs)
        is_free = not one.is_away and not meets and len(received) < MOST_AT_ONCE
        can_challenge = is_free and one.user_id in reach
        rows.append(ShownPlace(one, one is own, one.is_away, can_challenge, received))
    return LadderPage(
        ladder,
        count,
        number,
        pages,
        own,
        rows,
        [one for one in goes_on if one.challenged_id == user.pk],
        made,
        over[:NEWEST],
    )


def _challenges(
    ladder: Ladder, users: set[int], viewer: int | None, now: datetime
) -> list[LadderChallenge]:
    """Return the challenges of these players that go on, and some that are over; one query.

    Those are the newest of anybody, and those that the viewer had made and that were over lately.
    """
    of_ladder = LadderChallenge.objects.filter(ladder=ladder).order_by()
    theirs = Q(challenger__in=users) | Q(challenged__in=users)
    goes_on = of_ladder.exclude(state=State.OVER).filter(theirs)
    lately = of_ladder.filter(challenger=viewer, ended_at__gt=now - AGAIN_AFTER)
    newest = of_ladder.filter(state=State.OVER).order_by("-ended_at", "-pk").values("pk")[:NEWEST]
    # Each part has its own index; one condition for all would read every challenge of the ladder.
    keys = goes_on.values("pk").union(
        lately.values("pk"),
        of_ladder.filter(pk__in=newest).values("pk"),  # SQLite limits no part of a union
    )
    found = LadderChallenge.objects.filter(pk__in=keys)
    return list(found.select_related("challenger", "challenged").order_by("pk"))


def own_challenges(user: User) -> list[LadderChallenge]:
    """Return the challenges of a player that go on, on the site's ladders, the oldest first.

    One query.
    """
    theirs = Q(challenger=user) | Q(challenged=user)
    found = LadderChallenge.objects.exclude(state=State.OVER).filter(theirs, ladder__club=None)
    return list(found.select_related("ladder", "challenger", "challenged").order_by("pk"))
