"""What a person is answered, and its way into the outbox."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import cast

from accounts.models import User
from games.models import Game, Invitation
from games.services import wakeups
from notifications.kinds.answer.kind import KIND, AnswerContent, Section
from notifications.mail_parser import ParsedMail
from notifications.models import Notice, ReplyAddress
from notifications.models.notice import new_message_id

DONE, PARTLY, REFUSED, UNANSWERED = "done", "partly", "refused", "unanswered"


@dataclass(frozen=True)
class CommandResult:
    """What became of one order, in the reader's language.

    `listing` is a text to be shown as it stands: a record, a rulebook, the commands; `title` says
    what was asked to be sent, where that is all. `number` is the line of a digest that it answers;
    `person` the account that it made. `letter_follows`: another letter shows the board at once.
    """

    done: bool
    paragraphs: tuple[str, ...]
    game: Game | None = None
    listing: str = ""
    title: str = ""
    number: int | None = None
    person: User | None = None
    letter_follows: bool = False

    def and_also(self, sentence: str) -> "CommandResult":
        """Return the same with one more paragraph."""
        return replace(self, paragraphs=(*self.paragraphs, sentence))


@dataclass(frozen=True)
class MailAnswer:
    """The answer that was written; `result` is a slug: done, partly or refused.

    Where it is "unanswered" nothing was done and no answer was written.
    """

    notice: Notice | None
    result: str


def write_answer(
    said: Sequence[CommandResult],
    reply: ReplyAddress,
    mail: ParsedMail,
    *,
    language: str,
    now: datetime,
) -> MailAnswer:
    """Put the answer to a mail into the outbox, at once."""
    person = reply.user or next((one.person for one in said if one.person), None)
    games = {one.game.pk: one.game for one in said if one.game is not None}
    game = next(iter(games.values())) if len(games) == 1 else None
    if game is not None:
        game.refresh_from_db()
    content: AnswerContent = {
        "sections": [_kept(one) for one in said],
        "games": _numbered(said, reply),
        "invitation": _still_asked(reply),
        "in_reply_to": mail.message_id,
        "title": mail.subject,
    }
    notice = Notice.objects.create(
        kind=KIND.kind,
        user=person,
        address="" if person else reply.address,
        language=language,
        game=game,
        turn_number=game.turn_number if game else None,
        content=content,
        message_id=new_message_id(),
        created_at=now,
        due_at=now,
    )
    wakeups.notify_workers("notices")
    return MailAnswer(notice, mail_result(said))


def _numbered(said: Sequence[CommandResult], reply: ReplyAddress) -> list[list[int]]:
    """Return what the numbers of the digest that was answered mean in an answer to this.

    Of the games that it tells of, its reader knows the turns so far.
    """
    told = [one.game.pk for one in said if one.game is not None]
    now_at = dict(Game.objects.filter(pk__in=told).values_list("pk", "turn_number"))
    return [
        [number, game_id, now_at.get(game_id, turns)] for number, game_id, turns in reply.content
    ]


def _still_asked(reply: ReplyAddress) -> int | None:
    """Return the invitation that an address without an account can accept still."""
    if reply.user is not None or reply.invitation_id is None:
        return None
    standing = Invitation.objects.filter(pk=reply.invitation_id, state=Invitation.State.OPEN)
    return standing.values_list("pk", flat=True).first()


def _kept(said: CommandResult) -> Section:
    kept = asdict(replace(said, game=None, person=None))
    kept["game"] = said.game.pk if said.game else None
    return cast(Section, kept)


def mail_result(said: Sequence[CommandResult]) -> str:
    """Return what became of a mail: done, partly or refused."""
    done = sum(one.done for one in said)
    if done == len(said):
        return DONE
    return PARTLY if done else REFUSED
