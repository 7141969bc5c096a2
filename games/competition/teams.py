"""How players who join a league of teams by themselves are put together."""

from collections.abc import Mapping, Sequence


def put_together(
    waiting: Sequence[int], strength: Mapping[int, float]
) -> tuple[list[tuple[int, int]], int | None]:
    """Return the teams of players without a partner, and who is left over; None: nobody.

    The strongest plays with the weakest, the second with the second last, and so on. `waiting` are
    the players in the order of joining, and of an odd number the last is left over. Of two who are
    equally strong, who has joined earlier counts as the stronger one, and is named first.
    """
    left_over = waiting[-1] if len(waiting) % 2 else None
    players = list(waiting[: len(waiting) - len(waiting) % 2])
    order = sorted(players, key=lambda player: -strength[player])
    half = len(order) // 2
    return list(zip(order[:half], reversed(order[half:]), strict=True)), left_over
