"""The commands of a running game besides turns and endings, and private notes at any game."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import errors
from games.clock.durations import span_in_words
from games.models import AnalysisNode, Game
from games.queries.positions import position_at
from games.queries.seats import seat_played
from games.services import analysis, offers, takebacks
from games.services.clock import added_time, stops
from notifications import errors as mail_errors
from notifications.mail_commands.context import CommandContext, CommandResult, handles
from notifications.mail_parser import Command, MailCommand, NoteCommand, PauseCommand

MOST_LEGAL = 200
"""Legal actions that an answer lists."""


@handles(Command.LEGAL, only_reads=True)
def handle_legal(command: MailCommand, context: CommandContext) -> CommandResult:
    """Send what can be played, at most MOST_LEGAL; of turns with several actions the first ones.

    Raises GameNotRunning, and TurnsAreHidden where finding them is part of the game.
    """
    game = context.require_game()
    if game.status != Game.Status.ACTIVE:
        raise errors.GameNotRunning
    rules, position = game.rules, position_at(game)
    if rules.hides_legal_actions(position):
        raise mail_errors.TurnsAreHidden
    actions = rules.legal_actions(position)
    count = len(actions)
    is_part = any(
        rules.turn(rules.play(position, action)) == rules.turn(position) for action in actions
    )
    if is_part:
        said = ngettext(
            "%(count)d action can begin a turn.", "%(count)d actions can begin a turn.", count
        )
    else:
        said = ngettext("%(count)d turn is legal.", "%(count)d turns are legal.", count)
    paragraphs = [said % {"count": count}]
    if count > MOST_LEGAL:
        first = _("These are the first %(count)d of them.")
        paragraphs.append(first % {"count": MOST_LEGAL})
    listing = ", ".join(rules.format(position, action) for action in actions[:MOST_LEGAL])
    return CommandResult(True, tuple(paragraphs), game, listing, _("What is legal"))


@handles(Command.UNDO)
def handle_undo(command: MailCommand, context: CommandContext) -> CommandResult:
    """Undo the newest turn, while no opponent knows of it."""
    game_id, user = context.require_game().pk, context.require_user()
    game = takebacks.undo_turn(game_id=game_id, user=user, **context.times)
    return CommandResult(True, (_("Your turn is undone. Nobody else saw it."),), game)


@handles(Command.TAKEBACK)
def handle_takeback(command: MailCommand, context: CommandContext) -> CommandResult:
    """Offer to take back one's newest turn."""
    game_id, user = context.require_game().pk, context.require_user()
    offer = offers.offer_takeback(game_id=game_id, user=user, **context.times)
    said = _("You have offered to take back your newest turn. It counts until the others agree.")
    return CommandResult(True, (said,), offer.game)


@handles(PauseCommand)
def handle_pause(command: PauseCommand, context: CommandContext) -> CommandResult:
    """Offer a pause."""
    game_id, user = context.require_game().pk, context.require_user()
    offer = offers.offer_pause(game_id=game_id, user=user, days=command.days, now=context.now)
    said = ngettext(
        "You have offered a pause of %(days)d day. It begins when the others agree.",
        "You have offered a pause of %(days)d days. It begins when the others agree.",
        command.days,
    )
    return CommandResult(True, (said % {"days": command.days},), offer.game)


@handles(Command.RESUME)
def handle_resume(command: MailCommand, context: CommandContext) -> CommandResult:
    """End the pause."""
    game_id, user = context.require_game().pk, context.require_user()
    game = stops.end_pause(game_id=game_id, user=user, now=context.now)
    return CommandResult(True, (_("The pause is over. The time runs again."),), game)


@handles(Command.WITHDRAW)
def handle_withdraw(command: MailCommand, context: CommandContext) -> CommandResult:
    """Withdraw one's offer."""
    game_id, user = context.require_game().pk, context.require_user()
    game = offers.withdraw_offer(game_id=game_id, user=user, now=context.now)
    return CommandResult(True, (_("Your offer is withdrawn."),), game)


@handles(Command.MORE_TIME)
def handle_more_time(command: MailCommand, context: CommandContext) -> CommandResult:
    """Give the opponent to move more time. Raises TimeIsGivenByOpponents on one's own turn."""
    game, user = context.require_game(), context.require_user()
    seat = seat_played(game, user)
    if seat is not None and game.seat_to_move == seat.number:
        raise mail_errors.TimeIsGivenByOpponents
    more = added_time.grant_time(game_id=game.pk, user=user, now=context.now)
    said = _("Your opponent has %(span)s more for this turn.") % {"span": span_in_words(more)}
    return CommandResult(True, (said,), game)


# Private notes -----------------------------------------------------------------------------------


@handles(NoteCommand)
def handle_note(command: NoteCommand, context: CommandContext) -> CommandResult:
    """Add a private note to those at the position that the answered letter showed."""
    game, user = context.require_game(), context.require_user()
    turn = game.turn_number if context.turn_number is None else context.turn_number
    notes = AnalysisNode.objects.filter(game=game, user=user, turn=turn, parent=None)
    earlier = notes.values_list("note", flat=True).first()
    text = "\n".join(filter(None, [earlier, command.text]))
    analysis.write_note(
        game_id=game.pk, user=user, turn=turn, node_id=None, text=text, now=context.now
    )
    said = _("Your note is kept. Only you can read it: “notes” sends it to you.")
    return CommandResult(True, (said,), game)


@handles(Command.NOTES, only_reads=True)
def handle_notes(command: MailCommand, context: CommandContext) -> CommandResult:
    """Send the private notes of a game, in the order of the turns. Raises NothingNoted."""
    game, user = context.require_game(), context.require_user()
    analysis.check_may_analyse(game, user)
    nodes = AnalysisNode.objects.filter(game=game, user=user).exclude(note="")
    lines = []
    for node in nodes.order_by("turn", "pk"):
        place = _("At the start") if node.turn == 0 else _("After turn %(number)d")
        place %= {"number": node.turn}
        if node.notation:
            place = _("%(place)s, if %(turn)s") % {"place": place, "turn": node.notation}
        lines += [f"{place}:", *(f"    {line}" for line in node.note.splitlines())]
    if not lines:
        raise mail_errors.NothingNoted
    here = (_("These are your notes. Only you can read them."),)
    return CommandResult(True, here, game, "\n".join(lines), _("Your notes"))
