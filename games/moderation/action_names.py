"""The names of moderation actions, as the log keeps them."""

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _


class GameAction(TextChoices):
    """An action on a game. Its event of the game keeps the same name."""

    PAUSE = "pause", _("game paused")
    RESUME = "resume", _("game resumed")
    ADD_TIME = "add-time", _("time added")
    ADJUDICATE = "adjudicate", _("game decided")
    ABORT = "abort", _("game aborted")
    WITHDRAW = "withdraw", _("player removed from the game")
    SUBSTITUTE = "substitute", _("seat given to somebody else")
    TAKE_BACK = "take-back", _("game taken back")
    REOPEN = "reopen", _("game reopened")
    MAKE_PRIVATE = "make-private", _("game made private")
    MAKE_PUBLIC = "make-public", _("game made public")
    CLOSE_CONVERSATION = "close-conversation", _("conversation closed")
    OPEN_CONVERSATION = "open-conversation", _("conversation opened again")
    VERIFY = "verify", _("record verified")


class SiteAction(TextChoices):
    """An administrator's action on the site."""

    DECLARE_OUTAGE = "declare-outage", _("outage declared")
    BEGIN_MAINTENANCE = "close-house", _("maintenance begun")
    END_MAINTENANCE = "open-house", _("maintenance ended")
    ANNOUNCE = "announce", _("announcement published")
    CHANGE_ANNOUNCEMENT = "change-announcement", _("announcement changed")
    WITHDRAW_ANNOUNCEMENT = "withdraw-announcement", _("announcement withdrawn")
    WRITE_PAGE = "write-page", _("page of the site written")
    REMOVE_PAGE = "remove-page", _("own text of a page removed")
    PROCESS_AGAIN = "process-again", _("mail processed again")
    DISMISS_MAIL = "dismiss-mail", _("mail dismissed")
    SEND_AGAIN = "send-again", _("notice sent again")
    RESUME_ADDRESS = "resume-address", _("mail sent to an address again")
    MAKE_GROUP = "make-group", _("group created")
    CHANGE_GROUP = "change-group", _("group changed")
    DELETE_GROUP = "delete-group", _("group deleted")


class UserAction(TextChoices):
    """An action on a person."""

    WARN = "warn", _("person warned")
    MUTE = "mute", _("person muted")
    SUSPEND = "suspend", _("person suspended")
    BAN = "ban", _("person banned")
    LIFT = "lift", _("sanction lifted")
    RENAME = "rename", _("person renamed")
    ROLE = "role", _("role changed")
    MAKE_ACCOUNT = "make-account", _("account created")
    ACCOUNT = "account", _("account changed")
    SIGN_IN = "sign-in", _("way to sign in changed")


class CompetitionAction(TextChoices):
    """An action on a game or a player of a league, ladder or tournament, or on a tournament."""

    ANNUL = "annul", _("game annulled")
    REMOVE_FROM_SEASON = "remove-from-season", _("player removed from a season")
    REMOVE_FROM_LADDER = "remove-from-ladder", _("player removed from a ladder")
    REMOVE_FROM_TOURNAMENT = "remove-from-tournament", _("player removed from a tournament")
    CANCEL_TOURNAMENT = "cancel-tournament", _("tournament cancelled")


class ClubAction(TextChoices):
    """An action on a club."""

    CLOSE = "close-club", _("club closed")


class ReportAction(TextChoices):
    """An action on a report."""

    TAKE = "take-report", _("report assigned")
    HAND_OVER = "hand-over-report", _("report reassigned")
    UPHOLD = "uphold-report", _("report closed with action")
    DISMISS = "dismiss-report", _("report closed without action")


class MessageAction(TextChoices):
    """An action on a message. Its event of the game keeps the same name."""

    HIDE = "hide-message", _("message hidden")
    SHOW = "show-message", _("message shown again")


class Running(TextChoices):
    """What happens to the running games of a banned person."""

    WITHDRAW = "withdraw", _("lost at once")
    CLOCK = "clock", _("left to the clock")


class Access(TextChoices):
    """Something of others that staff read. It changes nothing."""

    PRIVATE_GAME = "read-private-game", _("private game read")


KINDS: tuple[type[TextChoices], ...] = (
    *(GameAction, SiteAction, UserAction, CompetitionAction, ClubAction),
    *(ReportAction, MessageAction, Access),
)


def action_label(what: str) -> str:
    """Return the action's name in the active language."""
    for kind in KINDS:
        if what in kind.values:
            return str(kind(what).label)
    return what
