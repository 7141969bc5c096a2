"""What became of a mail that came in."""

from enum import StrEnum


class MailResult(StrEnum):
    """The values of `IncomingMail.result` that Pli gives.

    A mail that no person wrote, or that cannot be parsed, has the parser's reason instead
    (`ParsedMail.automatic`, `UnreadableMail.reason`).
    """

    # Commands were executed, or refused.
    DONE = "done"
    PARTLY = "partly"
    REFUSED = "refused"
    ASKED = "asked"  # nothing is done before the sender has said yes
    UNANSWERED = "unanswered"  # refused like very many before it, so that no answer is written

    # A mail of ours came back.
    HARD_BOUNCE = "hard-bounce"
    SOFT_BOUNCE = "soft-bounce"
    STILL_TRYING = "still-trying"

    COMPLAINT = "complaint"  # a reader marked a mail of ours as spam

    # Ignored.
    FORGOTTEN_ADDRESS = "forgotten-address"  # its reply address was deleted meanwhile
    NO_BOUNCE = "no-bounce"  # a person wrote to the return address
    NOTHING_TO_ANSWER = "nothing-to-answer"
    OWN = "own"
    DISMISSED = "dismissed"  # by a moderator

    # Held.
    STRANGER = "stranger"  # not from an address that is verified as the player's
    UNCONFIRMED = "unconfirmed"  # the site's mail server does not confirm the sender
    UNCHECKED = "unchecked"  # the site's mail server has written no results

    # Parked.
    ERROR = "error"
