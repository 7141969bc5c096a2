"""What an address without an account can answer: its invitation."""

from dataclasses import replace

from django.utils import translation
from django.utils.translation import gettext as _

from accounts.models import Language
from accounts.users import get_or_create_user_for
from games.models import Invitation
from games.models.game import name_of_game
from games.services import invitations
from notifications import errors as mail_errors
from notifications.emails.formatting import plain
from notifications.mail_commands import questions
from notifications.mail_commands.context import CommandContext, CommandResult, handler_of
from notifications.mail_commands.shown_games import result_with_board
from notifications.mail_parser import (
    Command,
    MailCommand,
    NotUnderstood,
    ParsedMail,
    SettingCommand,
    TurnCommand,
)
from notifications.mail_parser.friendly_answers import (
    language_asked_for,
    language_of_answer,
    refuses_all,
)
from notifications.models import ReplyAddress
from notifications.services.addresses import refuse_invitations


def answer_invitation(
    command: MailCommand | NotUnderstood, mail: ParsedMail, context: CommandContext
) -> CommandResult:
    """Answer an invitation to an address without an account.

    A person who accepts gets an account, its address verified by the answer, in the language of
    their answer; they need a password only if they want one.
    Raises NotThere, AcceptOrDecline, and what accepting and declining raise.
    """
    reply = context.reply
    if reply.invitation is None:
        raise mail_errors.NotThere
    said = next((line for line in mail.lines if line.strip()), "")
    text = command.text if isinstance(command, TurnCommand | NotUnderstood) else ""
    if language := language_meant(command, text):
        return write_in_language(language, reply.invitation, reply)
    if refuses_all(text) or (isinstance(command, NotUnderstood) and command.reason == "stop"):
        return refuse_all_invitations(reply.invitation, context)
    command = questions.answer_of(command)
    if command == Command.RULES:
        game = replace(context, game=reply.invitation.game)
        shown = handler_of(command)(command, game)
        return replace(shown, game=None)  # its page is for players
    if command in (Command.DECLINE, Command.NO):
        invitations.decline(invitation_id=reply.invitation.pk, user=None, **context.times)
        declined = _("You have declined the invitation. You will get no more mail about it.")
        return CommandResult(True, (declined,), title=_("The invitation is declined"))
    if command == Command.HELP:
        how = _(
            "Reply “yes” to play or “no” to decline; “rules” sends you the rules of the game. You "
            "need no account and no password: every turn is played by answering a mail."
        )
        never = _("“never” declines, and nobody can invite this address again.")
        return CommandResult(True, (how, never), title=_("What you can answer"))
    if command not in (Command.ACCEPT, Command.YES):
        raise mail_errors.AcceptOrDecline
    language = language_of_answer(said)
    return accept_as_newcomer(reply.invitation, mail.sender_name, language, context)


def accept_as_newcomer(
    invitation: Invitation, name: str, language: str, context: CommandContext
) -> CommandResult:
    """Make the account, in this language if it is known, and sit down."""
    reply = context.reply
    user = get_or_create_user_for(reply.address, name=name, language=language or reply.language)
    game = invitations.accept(invitation_id=invitation.pk, user=user, **context.times)
    with translation.override(user.language):
        result = result_with_board(
            game,
            user,
            _("You have accepted the invitation."),
            _("You play as %(name)s. Your answer has verified your address.")
            % {"name": user.username},
            _(
                "You need no password: play by answering these mails, or sign in with a code by "
                "e-mail."
            ),
        )
    return replace(result, new_user=user)


def refuse_all_invitations(invitation: Invitation, context: CommandContext) -> CommandResult:
    """Decline, and let no invitation go to this address again."""
    invitations.decline(invitation_id=invitation.pk, user=None, **context.times)
    refuse_invitations(context.reply.address)
    said = _("You have declined the invitation, and nobody can invite this address again.")
    return CommandResult(True, (said,), title=_("No more invitations"))


def language_meant(command: MailCommand | NotUnderstood, text: str) -> str:
    """Return the code of the language that is asked for; empty: none."""
    if isinstance(command, SettingCommand) and command.setting == "language":
        value = command.value.lower()
        return value if value in Language.values else language_asked_for(value)
    return language_asked_for(text)


def write_in_language(language: str, invitation: Invitation, reply: ReplyAddress) -> CommandResult:
    """Let this and the next letters about the invitation be in another language."""
    notice = reply.notice
    if notice is not None:
        notice.language = language
        notice.save(update_fields=["language"])
    with translation.override(language):
        said = _("From now on we write to you in English.")
        invites = _("%(name)s invites you to %(game)s (game %(number)s)") % {
            "name": plain(invitation.by),
            "game": name_of_game(invitation.game.rules_slug),
            "number": invitation.game_id,
        }
        return CommandResult(True, (said, f"{invites}."), title=_("Your invitation"))
