"""Why somebody cannot be invited, or an invitation cannot be answered."""

from django.utils.translation import gettext_noop as _

from games.services.errors.refusal import Refusal


class NoSuchPlayer(Refusal):
    """Nobody plays here under that name."""

    status = 422
    template = _("Nobody here is called “%(name)s”.")


class BadAddress(Refusal):
    """Not an e-mail address."""

    status = 422
    template = _("“%(address)s” is not an e-mail address.")


class AlreadyInvited(Refusal):
    """An invitation to the same person stands."""

    template = _("%(name)s is already invited.")


class TooManyInvitations(Refusal):
    """Nobody may make this house write to strangers without end."""

    status = 429
    template = _("You have invited %(most)s addresses within a day: try again tomorrow.")


class BadAnswer(Refusal):
    """An answer that is neither of those that can be given."""

    status = 422
    template = _("An invitation is accepted or declined.")


class BadLink(Refusal):
    """A link that was changed on its way, or is too old."""

    status = 404
    template = _("This link does not work: it is incomplete, changed or too old.")


class InvitationAnswered(Refusal):
    """The invitation does not stand any more."""

    template = _("This invitation does not stand any more.")


class NotInvited(Refusal):
    """The invitation is for somebody else."""

    status = 403
    template = _("This invitation is for somebody else.")
