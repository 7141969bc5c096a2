"""Ladders by mail: list them, join, leave, challenge (all asked back), and answer a challenge."""

from django.utils import translation
from django.utils.translation import gettext as _

from accounts.models import Language
from games import ladder_errors
from games.models import LadderChallenge
from games.queries.ladders import ladder_cards
from games.rules.registry import all_rules
from games.services.ladders import challenges, places
from notifications.mail_commands.context import (
    CommandContext,
    CommandResult,
    handles,
    person_named,
)
from notifications.mail_commands.questions import ASKS, order_question, try_out
from notifications.mail_parser import LadderAnswerCommand, LadderCommand, LaddersCommand
from notifications.mail_parser.phrases import fold


@handles(LaddersCommand, only_reads=True)
def handle_ladders(command: LaddersCommand, context: CommandContext) -> CommandResult:
    """Send the ladders with the number of players, and the user's places."""
    lines = []
    for card in ladder_cards(context.require_user()):
        if card.own_place is not None:
            place = {"place": card.own_place, "size": card.size}
            said = _("your place: %(place)s of %(size)s") % place
        else:
            said = _("players: %(size)s") % {"size": card.size}
        lines.append(f"{card.name}, {said}")
    here = _("Reply with “join ladder” and the game to play on a ladder.")
    return CommandResult(True, (here,), listing="\n".join(lines), title=_("Ladders"))


@handles(LadderCommand)
def handle_ladder(command: LadderCommand, context: CommandContext) -> CommandResult:
    """Join, leave or challenge. Raises NoSuchLadder, and what the services raise."""
    user, slug = context.require_user(), _ladder_named(command.game)
    if command.action == "join":
        own = places.join_ladder(rules_slug=slug, user=user, now=context.now)
        said = _("You are on the ladder, at place %(place)s.") % {"place": own.place}
    elif command.action == "leave":
        places.leave_ladder(rules_slug=slug, user=user, now=context.now)
        said = _("You have left the ladder. Games that have begun go on.")
    else:
        opponent = person_named(command.opponent)
        challenges.challenge_player(rules_slug=slug, user=user, opponent=opponent, now=context.now)
        said = _("You have challenged %(name)s.") % {"name": opponent}
    return CommandResult(True, (said,))


def ask_about_ladder(command: LadderCommand, context: CommandContext) -> CommandResult:
    """Return the question with what would follow. Raises what the command raises."""
    slug = _ladder_named(command.game)
    try_out(command, context, lambda result: None)
    said = {
        "join": _("You would play on the ladder of %(game)s."),
        "leave": _(
            "You would leave the ladder of %(game)s; who has challenged you takes your place."
        ),
        "challenge": _("You would challenge %(name)s on the ladder of %(game)s."),
    }[command.action]
    with_whom = f" {command.opponent} on" if command.opponent else ""
    line = f"{command.action}{with_whom} ladder {slug.replace('-', ' ')}"
    return order_question(line, context, said % {"game": command.game, "name": command.opponent})


ASKS[LadderCommand] = ask_about_ladder


@handles(LadderAnswerCommand)
def handle_answer(command: LadderAnswerCommand, context: CommandContext) -> CommandResult:
    """Accept or decline the challenge of which the answered letter told.

    Raises NoSuchLadderChallenge, and what the services raise.
    """
    user, key = context.require_user(), context.reply.ladder_challenge_id or 0
    if command.accepts:
        challenge = challenges.accept_challenge(challenge_id=key, user=user, **context.times)
        return CommandResult(True, (_("The game begins."),), challenge.game)
    challenge = challenges.decline_challenge(challenge_id=key, user=user, **context.times)
    if challenge.outcome == LadderChallenge.Outcome.SPARED:
        return CommandResult(True, (_("You have declined, which was free. You keep your place."),))
    return CommandResult(True, (_("You have declined, and the challenger has your place."),))


def _ladder_named(game: str) -> str:
    """Return the game of the ladder that is named in any language. Raises NoSuchLadder."""
    wanted = fold(game).replace("-", " ")
    for language in Language.values:
        with translation.override(language):
            for rules in all_rules():
                names = {rules.slug, _(rules.name)}
                if wanted in {fold(name).replace("-", " ") for name in names}:
                    return rules.slug
    raise ladder_errors.NoSuchLadder
