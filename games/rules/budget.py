"""How long a program may think: counted positions, so that every machine thinks the same."""

from __future__ import annotations

from time import thread_time

from games.rules.programs import IsStopped, never_stopped

MOST_SECONDS = 60.0
"""The CPU time after which every turn is played, on however slow a machine."""

OFTEN = 50
"""The clock is read and `is_stopped` asked once in so many positions; some take milliseconds."""


class Budget:
    """What is left of one turn's thinking.

    `positions` is how many may still be looked at; `until` when the thread's CPU time is up, in
    seconds of `thread_time`. Time only ends what the positions would have ended on a good machine.
    """

    def __init__(
        self,
        positions: int,
        seconds: float = MOST_SECONDS,
        is_stopped: IsStopped = never_stopped,
    ) -> None:
        self.positions = positions
        self.until = thread_time() + seconds
        self._is_stopped = is_stopped
        self._unseen = 0
        self.is_over = positions <= 0

    def spend(self, positions: int) -> bool:
        """Count these positions; tell whether there are more to spend."""
        self.positions -= positions
        self._unseen += positions
        if self.positions <= 0:
            self.is_over = True
        elif self._unseen >= OFTEN:
            self._unseen = 0
            if thread_time() > self.until or self._is_stopped():
                self.is_over = True
        return not self.is_over

    def share(self, positions: int) -> Budget:
        """Return a budget of its own for a part of the turn, with the same clock."""
        part = Budget(positions, self.until - thread_time(), self._is_stopped)
        part.is_over = part.is_over or thread_time() > self.until or self._is_stopped()
        return part
