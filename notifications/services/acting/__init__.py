"""Doing what people answer by mail, and answering them.

`act` is the way in. Each order is carried out by the services of the games, as on the pages, and
judged on its own: done, or refused with the reason.
"""

from notifications.services.acting.answers import Answer
from notifications.services.acting.entry import act
from notifications.services.acting.prefixes import begins_with_turn

__all__ = ["Answer", "act", "begins_with_turn"]
