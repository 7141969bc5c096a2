"""Knock-out tournaments: the bracket, the winner of a match, and a first stage in groups."""

from collections.abc import Sequence

from games.competition.standings import WIN


def bracket(count: int) -> list[tuple[int, int | None]]:
    """Return the matches of the first round by the places 1 to `count`; None: there is nobody.

    The first two can only meet in the final, the first four not before the last but one round, and
    so on. Winners of the 1st and 2nd match meet, of the 3rd and 4th, and so on.
    """
    order = [1]
    while len(order) < count:
        size = 2 * len(order) + 1
        order = [place for one in order for place in (one, size - one)]
    if len(order) == 1:
        return []
    return [
        (one, two if two <= count else None) if one <= count else (two, None)
        for one, two in zip(order[::2], order[1::2], strict=True)
    ]


def knockout_rounds(count: int) -> int:
    """Return how many rounds a knock-out of so many players has."""
    return max(count - 1, 0).bit_length()


def decided(best_of: int, points: Sequence[int | None]) -> bool | None:
    """Return whether the first player of a match goes on; None: another game is to be played.

    `points` are those of the first player in each game so far that counts, None while it is played.
    They have the first turn in the first game and then in every other one, so in one more than the
    second player: with equal points at the end the second player goes on.
    """
    over = [won for won in points if won is not None]
    own, other = sum(over), sum(WIN - won for won in over)
    if max(own, other) > best_of:
        return own > other
    return own > other if len(over) >= best_of else None


def groups_of(count: int, size: int) -> list[list[int]]:
    """Return groups of the places 1 to `count`, of `size` at most and as equal as possible.

    Places go to the groups to and fro: 1 2 3, then 6 5 4.
    """
    number = -(-count // size)
    groups: list[list[int]] = [[] for _ in range(number)]
    for index in range(count):
        row, column = divmod(index, number)
        groups[column if row % 2 == 0 else number - 1 - column].append(index + 1)
    return groups


def seeds_after_groups(firsts: Sequence[int], seconds: Sequence[int]) -> list[int]:
    """Return who goes on from the groups, in the order of the bracket: first the groups' winners.

    The seconds begin with the group at which nobody meets somebody of their own group at once, if
    there is such a group.
    """
    group = {player: place for row in (firsts, seconds) for place, player in enumerate(row)}
    for start in range(len(seconds)):
        order = [*firsts, *seconds[start:], *seconds[:start]]
        matches = [(order[a - 1], order[b - 1]) for a, b in bracket(len(order)) if b is not None]
        if all(group[one] != group[two] for one, two in matches):
            return order
    return [*firsts, *seconds]
