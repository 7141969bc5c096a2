"""People who come by answering an invitation: their account is made from that."""

from dataclasses import replace

from django.db import transaction
from django.utils.translation import gettext as _

from accounts.newcomers import person_at
from games.services import invitations
from games.services.errors import Refusal
from notifications.reading import Command, Mail, NotUnderstood, Order
from notifications.services.acting.answers import Said
from notifications.services.acting.deeds import begun, carry_out
from notifications.services.acting.errors import AcceptOrDecline, NotThere
from notifications.services.acting.explanations import explain
from notifications.services.acting.messages import with_message
from notifications.services.acting.place import Place


def enter(order: Order | NotUnderstood, message: str, mail: Mail, place: Place) -> Said:
    """Answer an invitation to an address without an account.

    Who accepts has one from then on, their address verified by the answer; a password they need
    only if they want one. Their message is passed on then: before, they are nobody at the game.
    What is refused changes nothing.
    """
    try:
        with transaction.atomic():
            said = _enter(order, mail, place)
    except Refusal as refusal:
        return explain(order, place, refusal)
    if message and said.person is None:
        return said.and_also(_("Your message was not passed on: you do not play."))
    return with_message(said, message, replace(place, user=said.person, game=said.game))


def _enter(order: Order | NotUnderstood, mail: Mail, place: Place) -> Said:
    reply = place.reply
    if reply.invitation is None:
        raise NotThere
    if order == Command.RULES:
        shown = carry_out(order, replace(place, game=reply.invitation.game))
        return replace(shown, game=None)  # it is no player's page yet
    if order not in {Command.ACCEPT, Command.DECLINE}:
        raise AcceptOrDecline
    if order == Command.DECLINE:
        invitations.decline(invitation_id=reply.invitation.pk, user=None, now=place.now)
        declined = _("You have declined the invitation. You will hear no more of it.")
        return Said(True, (declined,), title=_("The invitation is declined"))
    person = person_at(
        reply.address, name=mail.sender_name, language=reply.notice.language if reply.notice else ""
    )
    game = invitations.accept(invitation_id=reply.invitation.pk, user=person, now=place.now)
    said = begun(
        game,
        person,
        _("You have accepted the invitation."),
        _("You play as %(name)s; your address is verified by your answer.")
        % {"name": person.username},
        _("You need no password: play by answering these mails, or sign in with a mailed code."),
    )
    return replace(said, person=person)
