"""Leagues by mail: list them, join the next season, skip it, leave. What changes is asked back."""

from django.db.models import Q
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import Language
from games import league_errors
from games.models import League, LeagueGame, SeasonEntry, TeamInvitation
from games.queries.leagues import LeagueCard, league_cards
from games.queries.people import player_named
from games.services.leagues import entries
from games.services.leagues.teams import invite_partner
from games.services.locking import lock_games
from notifications import errors as mail_errors
from notifications.emails.formatting import format_moment, plain
from notifications.mail_commands.context import CommandContext, CommandResult, handles
from notifications.mail_commands.questions import ASKS, order_question, try_out
from notifications.mail_parser import LeagueCommand, LeaguesCommand
from notifications.mail_parser.phrases import fold


@handles(LeaguesCommand, only_reads=True)
def handle_leagues(command: LeaguesCommand, context: CommandContext) -> CommandResult:
    """Send the leagues, with the dates of their seasons."""
    context.require_user()
    lines = []
    for card in league_cards():
        lines += [card.league.name, *(f"    {line}" for line in _dates(card))]
    if lines:
        here = _("Reply with “join league” and the game to play in the next season.")
    else:
        here = _("There is no league yet.")
    return CommandResult(True, (here,), listing="\n".join(lines), title=_("Leagues"))


def _dates(card: LeagueCard) -> list[str]:
    """Return when the seasons of a league begin and end, and how many games that makes."""
    lines = []
    if card.running is not None:
        day = format_moment(card.running.last_possible_day)
        lines.append(_("This season is over on %(day)s at the latest.") % {"day": day})
    if card.coming is not None:
        start, day = map(format_moment, (card.coming.starts_at, card.coming.last_possible_day))
        said = _("This season starts on %(start)s and is over on %(day)s at the latest.")
        lines.append(said % {"start": start, "day": day})
        count = card.league.games_at_once
        said = ngettext(
            "Whoever joins plays up to %(games_)s game at once.",
            "Whoever joins plays up to %(games_)s games at once.",
            count,
        )
        lines.append(said % {"games_": count})
    return lines


@handles(LeagueCommand)
def handle_league(command: LeagueCommand, context: CommandContext) -> CommandResult:
    """Join, skip or leave. Raises WhichLeague, NoSuchLeague, and what the services raise."""
    user, slug = context.require_user(), _league_meant(command, context)
    if command.partner:
        partner, now = player_named(command.partner), context.now
        invitation = invite_partner(rules_slug=slug, user=user, partner=partner, now=now)
        said = _("You have asked %(name)s to play with you.")
        if invitation.state == TeamInvitation.State.ACCEPTED:
            said = _("You play the next season with %(name)s.")
        said %= {"name": plain(partner)}
    elif command.action == "join":
        entries.join_season(rules_slug=slug, user=user, now=context.now)
        said = _("You play in the next season.")
    elif command.action == "skip":
        entries.skip_season(rules_slug=slug, user=user, now=context.now)
        said = _("You skip the next season and keep your place.")
    elif _plays_now(slug, context):
        rows = LeagueGame.objects.filter(division__season__league__rules_slug=slug)
        own = SeasonEntry.objects.filter(user=user, season__ended_at=None)
        keys = [entry.table_key for entry in own]
        theirs = rows.filter(Q(first__in=keys) | Q(second__in=keys))
        running = theirs.filter(game__status="active").values_list("game", flat=True)
        lock_games(pk for pk in running if pk is not None)
        entries.leave_season(rules_slug=slug, user=user, now=context.now)
        said = _("You have left the season.")
    else:
        entries.decline_season(rules_slug=slug, user=user, now=context.now)
        said = _("You do not play in the next season.")
    return CommandResult(True, (said,))


def ask_about_league(command: LeagueCommand, context: CommandContext) -> CommandResult:
    """Return the question with what would follow. Raises what the command raises."""
    slug = _league_meant(command, context)
    plays_now = _plays_now(slug, context)
    try_out(command, context, lambda result: None)
    (card,) = league_cards(slug)
    said = {
        "join": _("You would play in the next season of %(game)s."),
        "skip": _("You would skip the next season of %(game)s and keep your place."),
        "leave": _("You would not play in the next season of %(game)s."),
    }[command.action]
    if command.action == "leave" and plays_now:
        said = _(
            "You would leave the season of %(game)s that is being played: all of your running "
            "games in it would be resigned, and you would lose your place in the league."
        )
    if command.partner:
        said = _("You would play in the next season of %(game)s, in a team with %(name)s.")
    line = "skip season" if command.action == "skip" else f"{command.action} league"
    with_partner = f" with {command.partner}" if command.partner else ""
    dates = _dates(card) if command.action == "join" else []
    names = {"game": card.league.name, "name": command.partner}
    return order_question(f"{line} {slug}{with_partner}", context, said % names, *dates)


ASKS[LeagueCommand] = ask_about_league


def _plays_now(slug: str, context: CommandContext) -> bool:
    """Return whether the user plays in the season of a league that has begun."""
    playing = SeasonEntry.objects.filter(
        user=context.require_user(), season__ended_at=None, left_at=None
    )
    return playing.exclude(division=None).filter(season__league__rules_slug=slug).exists()


def _league_meant(command: LeagueCommand, context: CommandContext) -> str:
    """Return the game of the league that is named, or of the only one that can be meant.

    That is the only one in which the user plays, or else the only one. Raises WhichLeague,
    NoSuchLeague.
    """
    if command.game:
        wanted = fold(command.game).replace("-", " ")
        for league in League.objects.order_by("pk"):
            names = {league.rules_slug}
            for language in Language.values:
                with translation.override(language):
                    names.add(league.name)
            if wanted in {fold(name).replace("-", " ") for name in names}:
                return league.rules_slug
        raise league_errors.NoSuchLeague
    own = League.objects.filter(
        seasons__entries__user=context.require_user(), seasons__ended_at=None
    )
    for leagues in (own.distinct(), League.objects.all()):
        slugs = list(leagues.order_by("pk").values_list("rules_slug", flat=True)[:2])
        if len(slugs) == 1:
            return slugs[0]
    if not slugs:
        raise league_errors.NoSuchLeague
    words = {"join": _("join league"), "skip": _("skip season"), "leave": _("leave league")}
    raise mail_errors.WhichLeague(example=f"{words[command.action]} {slugs[0]}")
