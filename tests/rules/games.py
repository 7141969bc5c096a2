"""Short ways to say in a test what is played and what comes of it."""

from typing import Any

import pytest

from games.rules.base import AnyRules, MoveError


def after(rules: AnyRules, record: str) -> Any:
    """Return the position after the actions of `record`, separated by spaces."""
    position = rules.initial({})
    for text in record.split():
        position = rules.play(position, rules.parse(position, text))
    return position


def legal(rules: AnyRules, position: Any) -> set[str]:
    return {rules.format(position, action) for action in rules.legal_actions(position)}


def refusal(rules: AnyRules, position: Any, text: str) -> tuple[str, str]:
    """Return the kind and the sentence with which `text` is refused."""
    with pytest.raises(MoveError) as caught:
        rules.parse(position, text)
    return caught.value.kind, str(caught.value)
