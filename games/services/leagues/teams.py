"""Teams of two in a league: asking a partner, answering, and playing without them.

Whatever changes a team that has not begun locks the row of its season, which the start of the
season does too: a team is either whole in the season, or its change comes too late.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime

from django.db import transaction
from django.db.models import Q

from accounts.models import Block, User
from games import league_errors as errors
from games.competition.pairings import put_together
from games.models import Rating, Season, SeasonEntry, TeamInvitation
from games.models.rating import table_kind_of
from games.queries.people import is_stranger_refused
from games.rules.registry import rules_for
from games.services.leagues.joining import check_may_join, lock_coming_season, locked_next_season
from games.services.rating_formula import START_MU
from games.services.site_status import check_open
from games.services.suspensions import check_not_suspended, is_suspended

MOST_ASKED = 5
"""How many players somebody can ask to be their partner in a season."""

State = TeamInvitation.State


@transaction.atomic
def invite_partner(*, rules_slug: str, user: User, partner: User, now: datetime) -> TeamInvitation:
    """Ask another player to play the next season of a league as a team; `user` joins it, too.

    Where `partner` has asked already, it is accepted.

    Raises AccountClosed, Barred, ClosedForMaintenance, LeavesSoon, GuestsJoinNoLeague,
    ProgramsJoinNoLeague, NoSuchLeague, NoSeasonToJoin, LeagueHasNoTeams, HasPartner, PartnerTaken,
    CannotBePartner, TakesNoPartner, AskedBefore, AskedTooMany.
    """
    check_not_suspended(user, now)
    check_open()
    season = locked_next_season(rules_slug, now)
    if not season.league.has_teams:
        raise errors.LeagueHasNoTeams
    player = check_may_join(user, now)
    own = season.entries.filter(user=player).first()
    if own is not None and own.teammate is not None:
        raise errors.HasPartner
    theirs = season.entries.filter(user=partner).first()
    if theirs is not None:
        asked = theirs.invitations.filter(user=player, state=State.OPEN).first()
        if asked is not None and theirs.teammate is None:
            return _accept(asked, theirs, player, now)
    if partner == player or partner.is_bot or partner.is_guest or not _can_play(partner, now):
        raise errors.CannotBePartner(name=partner)
    is_blocked = Block.objects.filter(Q(by=partner, of=player) | Q(by=player, of=partner)).exists()
    if is_blocked or is_stranger_refused(partner, player):
        raise errors.TakesNoPartner
    if theirs is not None and theirs.teammate is not None:
        raise errors.PartnerTaken(name=partner)
    if own is not None and own.invitations.filter(user=partner).exists():
        raise errors.AskedBefore(name=partner)
    if own is not None and own.invitations.count() >= MOST_ASKED:
        raise errors.AskedTooMany(most=MOST_ASKED)
    own = _playing(season, player, now)
    return TeamInvitation.objects.create(entry=own, user=partner, made_at=now)


@transaction.atomic
def accept_partner(*, invitation_id: int, user: User, now: datetime) -> TeamInvitation:
    """Play the next season as a team with who has asked; what else the two have asked ends.

    Raises AccountClosed, Barred, ClosedForMaintenance, LeavesSoon, NoSuchTeamInvitation,
    NoSeasonToJoin, InvitationIsAnswered, HasPartner, PartnerTaken, TakesNoPartner.
    """
    check_not_suspended(user, now)
    check_open()
    invitation = _to_answer(invitation_id, now, user=user)
    player = check_may_join(user, now)
    theirs = invitation.entry
    if theirs.teammate is not None:
        raise errors.PartnerTaken(name=theirs.user)
    if theirs.state != SeasonEntry.State.PLAYS or not _can_play(theirs.user, now):
        raise errors.TakesNoPartner
    own = SeasonEntry.objects.filter(season=theirs.season_id, user=player).first()
    if own is not None and own.teammate is not None:
        raise errors.HasPartner
    return _accept(invitation, theirs, player, now)


def _accept(
    invitation: TeamInvitation, theirs: SeasonEntry, player: User, now: datetime
) -> TeamInvitation:
    own = _playing(theirs.season, player, now)
    own.partner_of, own.untold = theirs, ""
    own.save(update_fields=["partner_of", "untold"])
    theirs.untold = SeasonEntry.News.TEAMED
    theirs.save(update_fields=["untold"])
    invitation.state = State.ACCEPTED
    invitation.save(update_fields=["state"])
    withdraw_invitations([own.pk, theirs.pk])
    return invitation


@transaction.atomic
def refuse_partner(*, invitation_id: int, user: User, now: datetime) -> TeamInvitation:
    """Decline to play as a team with who has asked. They cannot ask again in this season.

    Raises AccountClosed, Barred, ClosedForMaintenance, NoSuchTeamInvitation, NoSeasonToJoin,
    InvitationIsAnswered.
    """
    check_not_suspended(user, now)
    check_open()
    invitation = _to_answer(invitation_id, now, user=user)
    invitation.state = State.REFUSED
    invitation.save(update_fields=["state"])
    return invitation


@transaction.atomic
def play_without_partner(*, rules_slug: str, user: User, now: datetime) -> SeasonEntry:
    """End one's team of the next season, or withdraw what one has asked; both still play in it.

    Raises AccountClosed, Barred, ClosedForMaintenance, NoSuchLeague, NoSeasonToJoin, NoTeam.
    """
    check_not_suspended(user, now)
    check_open()
    season = locked_next_season(rules_slug, now)
    entry = season.entries.filter(user=user).first()
    if entry is None or not (end_team(entry) or withdraw_invitations([entry.pk])):
        raise errors.NoTeam
    entry.refresh_from_db()
    return entry


def _to_answer(key: int, now: datetime, *, user: User) -> TeamInvitation:
    """Return an open invitation to a user, with its season locked."""
    found = TeamInvitation.objects.filter(pk=key, user=user)
    season = found.values_list("entry__season", flat=True).first()
    if season is None:
        raise errors.NoSuchTeamInvitation
    lock_coming_season(season, now)
    invitation = found.select_related("entry__user", "entry__season__league").get()
    if invitation.state != State.OPEN:
        raise errors.InvitationIsAnswered
    return invitation


def _can_play(user: User, now: datetime) -> bool:
    return not is_suspended(user, now) and user.deletion_due_at is None


def _playing(season: Season, player: User, now: datetime) -> SeasonEntry:
    """Return a player's entry of a locked season in which they play from now on."""
    entry, made = season.entries.get_or_create(user=player, defaults={"joined_at": now})
    if not made and entry.state != SeasonEntry.State.PLAYS:
        entry.state, entry.joined_at = SeasonEntry.State.PLAYS, now
        entry.save(update_fields=["state", "joined_at"])
    return entry


def end_team(entry: SeasonEntry) -> bool:
    """End the team of a player in a locked season; whose partner they were is told.

    Return whether they had one.
    """
    second = entry if entry.partner_of_id else SeasonEntry.objects.filter(partner_of=entry).first()
    if second is None:
        return False
    other = second.partner_of_id if second.pk == entry.pk else second.pk
    SeasonEntry.objects.filter(pk=second.pk).update(partner_of=None)
    assert other is not None  # noqa: S101  (the second of a team has a first)
    SeasonEntry.objects.filter(pk=other).update(untold=SeasonEntry.News.ALONE)
    SeasonEntry.objects.filter(pk=entry.pk).update(untold="")
    return True


def withdraw_invitations(entries: Iterable[int]) -> bool:
    """Withdraw what these players of a locked season have asked; return whether it was anything."""
    asked = TeamInvitation.objects.filter(entry__in=entries, state=State.OPEN)
    return asked.update(state=State.WITHDRAWN) > 0


# By the season itself ----------------------------------------------------------------------------


def form_teams(
    season: Season, entries: Sequence[SeasonEntry]
) -> tuple[list[SeasonEntry], SeasonEntry | None]:
    """Return the first entries of all teams, and who is left over; None: nobody.

    `entries` are those of a locked season who play. Those without a partner are put together, as
    `put_together` says. Nothing is saved: the second of each team has its `partner_of`.
    """
    by_key = {one.pk: one for one in entries}
    firsts = []
    for second in entries:
        if second.partner_of_id is not None:
            second.partner_of = by_key[second.partner_of_id]
            firsts.append(second.partner_of)
    in_teams = {one.pk for first in firsts for one in first.members}
    alone = {one.user_id: one for one in entries if one.pk not in in_teams}
    order = sorted(alone, key=lambda user: (alone[user].joined_at, alone[user].pk))
    league = season.league
    kind = table_kind_of(rules_for(league.rules_slug), league.options)
    ratings = Rating.objects.filter(
        player__in=order, rules_slug=league.rules_slug, table_kind=kind, level=0
    )
    strength = dict.fromkeys(order, START_MU) | dict(ratings.values_list("player", "mu"))
    teams, left_over = put_together(order, strength)
    for one, two in teams:
        alone[two].partner_of = alone[one]
        firsts.append(alone[one])
    return firsts, None if left_over is None else alone[left_over]


def carry_teams(season: Season, following: Season) -> None:
    """Let the teams of a season be teams of the following one, too, which is locked.

    Not those of which one has left or does not play there, or has asked somebody else or found a
    partner by now: who is alone then is told.
    """
    teams = season.entries.filter(partner_of__isnull=False).values_list(
        "partner_of__user", "partner_of__left_at", "user", "left_at"
    )
    entries = following.entries.filter(state=SeasonEntry.State.PLAYS).select_related("partner")
    asking = set(
        TeamInvitation.objects.filter(entry__season=following, state=State.OPEN).values_list(
            "entry", flat=True
        )
    )
    free = {
        one.user_id: one
        for one in entries
        if one.partner_of_id is None and len(one.members) == 1 and one.pk not in asking
    }
    changed = []
    for first, first_left, second, second_left in teams:
        here = [free[user] for user in (first, second) if user in free]
        if len(here) == len((first, second)) and first_left is None and second_left is None:
            here[1].partner_of = here[0]
        else:
            for one in here:
                one.untold = SeasonEntry.News.ALONE
        changed += here
    SeasonEntry.objects.bulk_update(changed, ["partner_of", "untold"])
