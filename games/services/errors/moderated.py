"""What a moderator keeps people from."""

from django.utils.translation import gettext_noop as _

from games.services.errors.refusal import Refusal


class HeldByModerator(Refusal):
    """A moderator looks into the game."""

    template = _("A moderator has stopped this game for now. Your time does not run.")


class Barred(Refusal):
    """Somebody whom a moderator keeps out."""

    status = 403
    template = _("A moderator has closed your account for now: you cannot play or write here.")


class NoReason(Refusal):
    """Moderators say why."""

    status = 422
    template = _("Say why: the log and the players must be able to read it.")
