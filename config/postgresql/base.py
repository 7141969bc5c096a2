"""Whether a connection that has been kept can be used again."""

import select

from django.db.backends.postgresql import base


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection to PostgreSQL."""

    def is_usable(self) -> bool:
        """Return whether the connection works.

        Django asks this before the first query of each request (CONN_HEALTH_CHECKS), with a
        statement. A server that stops writes so to each connection, and nothing else is written to
        an idle one: so only a connection with something to read, or one that has failed, is asked.
        After a failure of the network, which writes nothing, the first statement itself fails.
        """
        if self.connection is None or self.connection.closed or self.errors_occurred:
            return bool(super().is_usable())
        poll = select.poll()
        poll.register(self.connection.fileno(), select.POLLIN)
        return not poll.poll(0) or bool(super().is_usable())
