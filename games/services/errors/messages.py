"""Why something cannot be said."""

from django.utils.translation import gettext_noop as _

from games.services.errors.refusal import Refusal


class NothingSaid(Refusal):
    """A message without a word."""

    status = 422
    template = _("There is nothing in this message.")


class MessageTooLong(Refusal):
    """More than anybody wants to read between two turns."""

    status = 422
    template = _("A message has at most %(most)s characters; this one has %(length)s.")


class TooManyMessages(Refusal):
    """Nobody may bury the others under messages."""

    status = 429
    template = _("You have said %(most)s things within an hour: wait a while.")


class TalkIsOver(Refusal):
    """The game has been over for long."""

    template = _("This game has been over for more than %(days)s days: its conversation is closed.")


class ConversationClosed(Refusal):
    """A moderator wants nothing more to be said here."""

    status = 403
    template = _("A moderator has closed the conversation of this game.")


class Muted(Refusal):
    """Somebody whom a moderator keeps from writing."""

    status = 403
    template = _("A moderator keeps you from writing messages for now.")
