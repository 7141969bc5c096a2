"""People who come by answering an invitation: their account is made from that."""

from dataclasses import replace

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.users import get_or_create_user_for
from games import errors
from games.services import invitations
from notifications import errors as mail_errors
from notifications.mail_parser import Command, MailCommand, NotUnderstood, ParsedMail
from notifications.services.mail_commands.answers import CommandResult
from notifications.services.mail_commands.context import CommandContext
from notifications.services.mail_commands.explanations import explain
from notifications.services.mail_commands.handlers import carry_out, start_game_notice
from notifications.services.mail_commands.messages import with_message


def answer_invitation(
    order: MailCommand | NotUnderstood, message: str, mail: ParsedMail, place: CommandContext
) -> CommandResult:
    """Answer an invitation to an address without an account.

    Who accepts has one from then on, their address verified by the answer; a password they need
    only if they want one. Their message is passed on then: before, they are nobody at the game.
    What is refused changes nothing.
    """
    try:
        with transaction.atomic():
            said = _enter(order, mail, place)
    except errors.Refusal as refusal:
        return explain(order, place, refusal)
    if message and said.person is None:
        return said.and_also(_("Your message was not passed on: you do not play."))
    return with_message(said, message, replace(place, user=said.person, game=said.game))


def _enter(
    order: MailCommand | NotUnderstood, mail: ParsedMail, place: CommandContext
) -> CommandResult:
    reply = place.reply
    if reply.invitation is None:
        raise mail_errors.NotThere
    if order == Command.RULES:
        shown = carry_out(order, replace(place, game=reply.invitation.game))
        return replace(shown, game=None)  # it is no player's page yet
    if order not in {Command.ACCEPT, Command.DECLINE}:
        raise mail_errors.AcceptOrDecline
    if order == Command.DECLINE:
        invitations.decline(invitation_id=reply.invitation.pk, user=None, now=place.now)
        declined = _("You have declined the invitation. You will hear no more of it.")
        return CommandResult(True, (declined,), title=_("The invitation is declined"))
    person = get_or_create_user_for(
        reply.address, name=mail.sender_name, language=reply.notice.language if reply.notice else ""
    )
    game = invitations.accept(invitation_id=reply.invitation.pk, user=person, now=place.now)
    said = start_game_notice(
        game,
        person,
        _("You have accepted the invitation."),
        _("You play as %(name)s; your address is verified by your answer.")
        % {"name": person.username},
        _("You need no password: play by answering these mails, or sign in with a mailed code."),
    )
    return replace(said, person=person)
