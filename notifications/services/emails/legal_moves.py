"""What can be played, as far as a mail may show it."""

from games.models import Game
from games.queries import position_at


def format_legal_moves(game: Game) -> list[str]:
    """Return every legal notation of a running game; none where finding them is part of it."""
    rules, position = game.rules, position_at(game)
    if rules.hides_legal_actions(position):
        return []
    return [rules.format(position, action) for action in rules.legal_actions(position)]
