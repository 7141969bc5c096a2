"""The answer to a mail: refusals in words, and its way into the outbox."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _

from games import errors, wakeups
from games.models import Game, Invitation
from games.rules.base import MAX_SHOWN
from notifications import errors as mail_errors
from notifications.emails.formatting import format_legal_moves, format_result, plain
from notifications.incoming.results import MailResult
from notifications.kinds.answer.kind import KIND, AnswerContent, Section
from notifications.mail_commands.context import CommandContext, CommandResult
from notifications.mail_commands.help_text import list_commands
from notifications.mail_commands.listings import turns_since
from notifications.mail_parser import MailCommand, NotUnderstood, ParsedMail, TurnCommand
from notifications.models import Notice, ReplyAddress
from notifications.models.notice import new_message_id

LONGEST_QUOTED = 80

FEWEST_WORDS = 2
"""A line that is no turn and has so many words may have been meant for the other players."""

_WORDS = re.compile(r"[^\W\d_]{2,}")


@dataclass(frozen=True)
class MailAnswer:
    """The answer that was written, and what became of the mail: done, partly, asked or refused.

    If `result` is UNANSWERED, nothing was done and no answer was written. Without an answer DONE is
    a turn of somebody who wants no confirmations.
    """

    notice: Notice | None
    result: MailResult


def mail_result(results: Sequence[CommandResult]) -> MailResult:
    """Return what became of a mail: done, partly, asked or refused."""
    done = sum(result.done for result in results)
    if done == len(results):
        return MailResult.DONE
    if done:
        return MailResult.PARTLY
    is_asked = any(result.question is not None for result in results)
    return MailResult.ASKED if is_asked else MailResult.REFUSED


def explain_refusal(
    command: MailCommand | NotUnderstood, context: CommandContext, refusal: errors.Refusal
) -> CommandResult:
    """Return a refusal in words: why, what is legal, what has happened since."""
    said = [refusal.sentence]
    listing = ""
    game, user = context.game, context.user
    if isinstance(command, TurnCommand) and command.text:
        said.insert(0, _("You wrote: %(text)s") % {"text": command.text[:LONGEST_QUOTED]})
    if game is not None:
        game.refresh_from_db()
        if game.is_over and game.started_at:
            end = format_result(game, user)
            over = _("The game is over. %(result)s. %(reason)s")
            said.append(over % {"result": end.headline, "reason": end.reason})
        if isinstance(refusal, errors.StaleTurn | mail_errors.MovedOnSinceAsked):
            said.append(_("This has happened since the mail that you answered:"))
            listing = turns_since(game, context.turn_number or 0)
        elif isinstance(refusal, errors.MoveRefused):
            # What could follow the legal beginning of a turn of several actions, or could begin
            # it; only where that is little and no secret. A plan speaks of other positions.
            legal = refusal.legal
            if not legal and isinstance(command, TurnCommand):
                legal = tuple(format_legal_moves(game))
            if 0 < len(legal) <= MAX_SHOWN:
                said.append(_("Possible turns: %(turns)s") % {"turns": ", ".join(legal)})
        elif isinstance(refusal, mail_errors.LaterOffer):
            is_open = game.offers.open().select_related("seat__user")
            for offer in is_open.order_by("pk"):
                names = {"name": plain(offer.seat.user or ""), "what": offer.get_kind_display()}
                said.append(_("%(name)s offers: %(what)s.") % names)
    words = _WORDS.findall(command.text) if isinstance(command, TurnCommand) else []
    if user is not None and len(words) >= FEWEST_WORDS:
        said.append(_("To say that to the other players, begin the line with “say”."))
        said.append(_("“help” sends you all that you can answer."))
    if user is not None and isinstance(command, NotUnderstood) and command.reason == "empty":
        said.append(_("This is what you can answer."))
        listing = list_commands(game, user, context.now)
    return CommandResult(False, tuple(said), game, listing)


def write_answer(
    results: Sequence[CommandResult], reply: ReplyAddress, mail: ParsedMail, *, now: datetime
) -> MailAnswer:
    """Put the answer to a mail into the outbox, due at once."""
    user = reply.user or next((result.new_user for result in results if result.new_user), None)
    games = {result.game.pk: result.game for result in results if result.game is not None}
    game = next(iter(games.values())) if len(games) == 1 else None
    if game is not None:
        game.refresh_from_db()
    # What the numbers of a digest mean in an answer to this answer: the reader is told of the
    # newest turns of the games in it.
    newest_turns = dict(Game.objects.filter(pk__in=list(games)).values_list("pk", "turn_number"))
    numbered = [list(one) for result in results for one in result.numbered] or [
        [number, game_id, newest_turns.get(game_id, turns)]
        for number, game_id, turns in reply.content
    ]
    # An address without an account can still accept its invitation.
    invitation = None
    if reply.user is None and reply.invitation_id is not None:
        is_open = Invitation.objects.open().filter(pk=reply.invitation_id)
        invitation = is_open.values_list("pk", flat=True).first()
    line = next((one.puzzle_line for one in results if one.puzzle_line is not None), None)
    sections: list[Section] = [
        {
            "done": result.done,
            "paragraphs": result.paragraphs,
            "game": result.game.pk if result.game else None,
            "listing": result.listing,
            "title": result.title,
            "number": result.number,
            "person": None,
            "letter_follows": result.letter_follows,
            "question": result.question,
        }
        for result in results
    ]
    content: AnswerContent = {
        "sections": sections,
        "games": numbered,
        "questions": [result.question for result in results if result.question is not None],
        "invitation": invitation,
        "puzzle": reply.puzzle_id,
        "puzzle_line": reply.puzzle_line if line is None else " ".join(line),
        "asks_next": line is not None,
        "in_reply_to": mail.message_id,
        "title": mail.subject,
    }
    notice = Notice.objects.create(
        kind=KIND.kind,
        user=user,
        address="" if user else reply.address,
        language=user.language if user else reply.language,
        game=game,
        turn_number=game.turn_number if game else None,
        content=content,
        message_id=new_message_id(),
        created_at=now,
        due_at=now,
    )
    wakeups.notify_workers("notices")
    return MailAnswer(notice, mail_result(results))
