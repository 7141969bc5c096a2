"""One game of which there is much to tell, played through the services as in life."""

import random
from collections.abc import Iterator
from datetime import timedelta

from django.utils import timezone

from accounts.models import User
from games.models import Game, Message
from games.moderation.game_actions import pause_game
from games.services.conduct.reports import report_message
from notifications.models import Notice
from tests.factories import PersonFactory
from tests.games.play import begin, fresh, play_all

TURNS = 60
SAID = 150
"""How many messages there are, and as many mails."""


def long_game(judge: User) -> Game:
    """Play most of a game, talk much, report it, and let somebody who judges pause it."""
    now = timezone.now() - timedelta(hours=1)
    ann, bob = PersonFactory(username="ann"), PersonFactory(username="bob")
    game = begin(ann, bob, now=now, slug="superpion", options={"variant": "two"})
    play_all(game, list(_turns(game)), now=now)
    said = Message(game=game, author=bob, text="Hm.", said_at=now, turn_number=TURNS, via="web")
    Message.objects.bulk_create(_copies(said))
    mailed = {"kind": "message", "state": "sent", "created_at": now, "due_at": now}
    Notice.objects.bulk_create(
        Notice(user=ann, game=game, message_id=f"long-{number}", **mailed) for number in range(SAID)
    )
    newest = Message.objects.filter(game=game).latest("pk")
    report_message(message_id=newest.pk, reporter=ann, reason="abuse", text="Rude.", now=now)
    pause_game(game_id=game.pk, by=judge, why="to measure", now=now)
    return fresh(game)


def _copies(said: Message) -> list[Message]:
    fields = [field.attname for field in Message._meta.concrete_fields if not field.primary_key]
    values = {name: getattr(said, name) for name in fields}
    return [Message(**values) for _ in range(SAID)]


def _turns(game: Game) -> Iterator[str]:
    """Yield the turns of a random game, always of the same one."""
    rules, chance = game.rules, random.Random(1)
    position = rules.initial(game.options)
    for _ in range(TURNS):
        number, actions = rules.turn(position), []
        while rules.turn(position) == number:
            action = chance.choice(rules.legal_actions(position))
            actions.append(rules.format(position, action))
            position = rules.play(position, action)
        yield ", ".join(actions)
