"""Letters to the players of a tournament: a round begins, it is over, or it is not played."""

from collections.abc import Sequence
from datetime import datetime
from typing import cast

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils.translation import gettext as _

from games.models import Entrant, Tournament
from games.queries.tournaments import Form, TournamentState
from notifications.emails.base import InlineImageEmail
from notifications.emails.formatting import format_moment, plain
from notifications.kinds.base import Content, Context, MailKind, Purpose
from notifications.kinds.registry import Kind
from notifications.models import Cadence, Notice, SkipReason


class Tells(models.TextChoices):
    """What a letter tells."""

    ROUND = "round"
    END = "end"
    NOT_PLAYED = "not-played"
    CANCELLED = "cancelled"
    REMOVED = "removed"


class TournamentContent(Content, total=False):
    """Which tournament a letter is about, what it tells, and of which round (0: of none)."""

    tournament: int
    tells: str
    round: int


class TournamentMail(MailKind):
    """Tells what happens in a tournament (`outbox.tournament_letters` writes the notices)."""

    kind = Kind.TOURNAMENT
    can_be_switched_off = True
    cadences = (Cadence.AT_ONCE, Cadence.OFF)
    can_wait = False
    can_be_sent_again = False
    reply_purpose = Purpose.GAME

    def skip_reason(self, notice: Notice) -> SkipReason | None:
        """Return a reason where the round is over, or its reader has left or does not play."""
        content = cast(TournamentContent, notice.content)
        found = Tournament.objects.filter(pk=content.get("tournament", 0)).first()
        if found is None:
            return SkipReason.NOTHING_TO_TELL
        if content["tells"] in (Tells.REMOVED, Tells.NOT_PLAYED, Tells.CANCELLED):
            return None
        plays = found.entrants.filter(user=notice.user, left_at=None).exists()
        number = content["round"]
        is_late = number and found.rounds.filter(number=number, ended_at__isnull=False).exists()
        return SkipReason.NOTHING_TO_TELL if is_late or not plays else None

    def compose(
        self, notice: Notice, other_news: Sequence[str], *, now: datetime
    ) -> InlineImageEmail:
        content = cast(TournamentContent, notice.content)
        tournament = Tournament.objects.get(pk=content["tournament"])
        state, tells = TournamentState(tournament), content["tells"]
        own = next((one for one in state.everybody if one.user_id == notice.user_id), None)
        names = {"name": plain(tournament), "number": content["round"]}
        if tells == Tells.ROUND and len(state.rounds) == 1 and tournament.form == Form.ROUND_ROBIN:
            subject = _("Your tournament begins: %(name)s") % names
        elif tells == Tells.ROUND:
            subject = _("Round %(number)s begins: %(name)s") % names
        elif tells == Tells.END:
            subject = _("Your tournament is over: %(name)s") % names
        elif tells == Tells.NOT_PLAYED:
            subject = _("The tournament is not played: %(name)s") % names
        elif tells == Tells.CANCELLED:
            subject = _("The tournament is cancelled: %(name)s") % names
        else:
            subject = _("You were removed from a tournament: %(name)s") % names
        counts_rounds = tournament.form in (Form.KNOCKOUT, Form.GROUPS)
        table = state.final_order() if tells == Tells.END else []
        places = {one.pk: place for place, (one, _points) in enumerate(table, 1)}
        cancelled = tournament.cancelled_because
        of_round = next((one for one in state.rounds if one.number == content["round"]), None)
        in_round = state.matches(of_round) if of_round else []
        own_matches = [
            one for one in in_round if own is not None and own in (one.first, one.second)
        ]
        context = {
            **self.base_context(notice, now),
            "reader": plain(notice.user),
            "subject": subject,
            "tells": tells,
            "games": games_of_round(state, own, content["round"]),
            "for_third_place": any(one.for_third_place for one in own_matches),
            "final_day": format_moment(of_round.final_at) if of_round else "",
            "last_day": format_moment(tournament.last_day_of(len(state.entrants))),
            "is_cancelled": tournament.is_cancelled,
            "place": places.get(own.pk, 0) if own else 0,
            "points_title": _("Rounds won") if counts_rounds else _("Points"),
            "rows": [
                {"place": places[one.pk], "name": plain(one.user), "points": points}
                for one, points in table
            ],
            "why": plain(own.removed_because if own and tells == Tells.REMOVED else cancelled),
            "by_mail": (
                _(
                    "To leave it, reply with “leave tournament %(number)s”; you are asked to "
                    "confirm it."
                )
                % {"number": tournament.pk}
                if tells == Tells.ROUND
                else _("For the tournaments that you can join, reply with “tournaments”.")
            ),
            "url": settings.SITE_URL + tournament.get_absolute_url(),
        }
        return self.render_email(notice, self.template("letter"), context)


KIND = TournamentMail()


def games_of_round(state: TournamentState, own: Entrant | None, number: int) -> list[Context]:
    """Return the opponents of a player in the games of a round that are played, with links."""
    games = []
    for of_round in state.rounds:
        if of_round.number != number or own is None:
            continue
        for one in state.games_in(of_round):
            sides = (one.row.first_id, one.row.second_id)
            if own.pk in sides and one.row.game_id is not None and one.points is None:
                other = state.entrants[next(pk for pk in sides if pk != own.pk and pk)]
                url = settings.SITE_URL + reverse("game", args=[one.row.game_id])
                games.append({"opponent": plain(other.user), "url": url})
    return games
