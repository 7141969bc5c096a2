"""Execute what people ask for by mail, and answer them.

`dispatch.execute` is the only way in. Each command is executed by the services of the games, as on
the pages, and answered on its own: done, or refused with the reason.
"""

from notifications.services.mail_commands.answers import MailAnswer
from notifications.services.mail_commands.dispatch import execute
from notifications.services.mail_commands.turn_text import begins_with_turn

__all__ = ["MailAnswer", "begins_with_turn", "execute"]
