"""The one error of reading, and the limits behind it."""

MOST_BYTES = 256 * 1024
MOST_HEADER_BYTES = 64 * 1024
MOST_PARTS = 20


class UnreadableMail(Exception):
    """A mail that is not read; `reason` is a slug.

    empty, too-big, headers-too-big, or no-headers for bytes that are no mail.
    """

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason
