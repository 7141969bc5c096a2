"""What moderators and hosts do, by the names that the log keeps."""

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _


class GameAction(TextChoices):
    """What is done to a game: its events call it so too."""

    PAUSE = "pause", _("game paused")
    RESUME = "resume", _("game resumed")
    ADD_TIME = "add-time", _("time added")
    ADJUDICATE = "adjudicate", _("game decided")
    ABORT = "abort", _("game broken off")
    WITHDRAW = "withdraw", _("seat taken out of the game")
    SUBSTITUTE = "substitute", _("seat given to somebody else")
    TAKE_BACK = "take-back", _("game taken back")
    MAKE_PRIVATE = "make-private", _("game made private")
    MAKE_PUBLIC = "make-public", _("game made public")
    CLOSE_CONVERSATION = "close-conversation", _("conversation closed")
    OPEN_CONVERSATION = "open-conversation", _("conversation opened again")
    VERIFY = "verify", _("record verified")


class SiteAction(TextChoices):
    """What hosts do to the house."""

    DECLARE_OUTAGE = "declare-outage", _("outage declared")
    CLOSE_HOUSE = "close-house", _("maintenance begun")
    OPEN_HOUSE = "open-house", _("maintenance ended")
    ANNOUNCE = "announce", _("announcement made")
    CHANGE_ANNOUNCEMENT = "change-announcement", _("announcement changed")
    WITHDRAW_ANNOUNCEMENT = "withdraw-announcement", _("announcement withdrawn")
    PROCESS_AGAIN = "process-again", _("mail processed again")
    DISMISS_MAIL = "dismiss-mail", _("mail dismissed")
    SEND_AGAIN = "send-again", _("notice sent again")
    RESUME_ADDRESS = "resume-address", _("mail sent to an address again")
    MAKE_GROUP = "make-group", _("group made")
    CHANGE_GROUP = "change-group", _("group changed")
    DELETE_GROUP = "delete-group", _("group deleted")


class UserAction(TextChoices):
    """What is done about a person."""

    WARN = "warn", _("person warned")
    MUTE = "mute", _("person muted")
    SUSPEND = "suspend", _("person suspended")
    BAN = "ban", _("person banned")
    LIFT = "lift", _("sanction lifted")
    RENAME = "rename", _("person renamed")
    ROLE = "role", _("role changed")
    MAKE_ACCOUNT = "make-account", _("account made")
    ACCOUNT = "account", _("account changed")
    SIGN_IN = "sign-in", _("way to sign in changed")


class ReportAction(TextChoices):
    """What is done with a report."""

    TAKE = "take-report", _("report taken in hand")
    HAND_OVER = "hand-over-report", _("report handed over")
    UPHOLD = "uphold-report", _("report acted upon")
    DISMISS = "dismiss-report", _("report closed without action")


class MessageAction(TextChoices):
    """What is done to a message: its game's events call it so too."""

    HIDE = "hide-message", _("message hidden")
    SHOW = "show-message", _("message shown again")


class Access(TextChoices):
    """What staff read of others: nothing is changed by it."""

    PRIVATE_GAME = "read-private-game", _("private game read")


def action_label(what: str) -> str:
    """Return what an act did, whatever it was done to, in words of the active language."""
    for kind in (GameAction, SiteAction, UserAction, ReportAction, MessageAction, Access):
        if what in kind.values:
            return str(kind(what).label)
    return what
