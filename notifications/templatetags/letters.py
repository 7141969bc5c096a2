"""The mail about a turn, as the landing page shows it: composed as every such mail is.

Nothing of it is in the database: the game, its players and the notice are made for the page.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django import template
from django.template.loader import render_to_string
from django.utils import timezone, translation
from django.utils.safestring import SafeString

from accounts.models import User
from accounts.server_time import server_now
from games.clock.time_control import per_turn
from games.models import Event, Game, Seat, Turn
from games.queries.shown_game import PLAYERS, shown_turns
from games.rules.entries import positions
from games.rules.registry import RulesApp, app_with_example
from notifications.emails.pictures import picture_text
from notifications.kinds.your_turn.kind import KIND
from notifications.models import Notice
from notifications.services.shared_reads import SharedReads, sharing

register = template.Library()

GAME = 1
"""The number of the game in the mail."""

ALLOWANCE = timedelta(days=3)


@dataclass(frozen=True)
class SampleLetter:
    """A mail on a page: its sender, subject and body, and the reply that plays a turn."""

    sender: str
    reader: str
    subject: str
    body: SafeString
    reply: str


@register.simple_tag
def sample_letter() -> SampleLetter | None:
    """Return the mail before the last turn of the shown game, in the active language.

    None if no installed game has an example game.
    """
    app = app_with_example()
    if app is None:
        return None
    now = server_now()
    notice, reads = sample_notice(app, now)
    with sharing(reads):
        context = KIND.letter_context(notice, (), now=now)
    # Its links would lead to a game that does not exist: they lead to one that can be played.
    context |= {
        "layout": "notifications/sample_sheet.html",
        "picture": shown_turns()[-2].image,
        "picture_text": picture_text(context["board"]),
        "url": "#play",
        "button_url": "#play",
        "unsubscribe_url": "",
    }
    return SampleLetter(
        sender=context["site_name"],
        reader=context["reader"],
        subject=context["subject"],
        body=SafeString(render_to_string("notifications/sample_letter.html", context)),
        reply=app.example_game[-1],
    )


def sample_notice(app: RulesApp, now: datetime) -> tuple[Notice, SharedReads]:
    """Return the unsaved notice, and what would else be read from the database to compose it."""
    rules, played = app.rules, app.example_game[:-1]
    language = translation.get_language() or "en"
    zone = timezone.get_current_timezone_name()
    reader, opponent = (
        User(pk=-number, username=name, language=language, time_zone=zone)
        for number, name in enumerate(PLAYERS, start=1)
    )
    *_, before, after = positions(rules, rules.check_options({}), played)
    pace = per_turn(ALLOWANCE)
    game = Game(
        pk=GAME,
        rules_slug=rules.slug,
        status=Game.Status.ACTIVE,
        creator=reader,
        pace=pace.kind,
        allowance=pace.allowance,
        created_at=now,
        started_at=now,
        turn_number=len(played),
        position=rules.dump(after),
        previous_position=rules.dump(before),
        seat_to_move=0,
        turn_began_at=now,
        clock_started_at=now,
        time_left=ALLOWANCE,
        deadline=now + ALLOWANCE,
        deadline_set_at=now,
    )
    seats = [
        Seat(game=game, number=number, user=user, time_left=ALLOWANCE)
        for number, user in enumerate([reader, opponent])
    ]
    game.loaded_seats = seats
    game._prefetched_objects_cache = {"seats": seats}  # type: ignore[attr-defined]
    turn = Turn(game=game, number=game.turn_number, seat=1, player=opponent, notation=played[-1])
    event = Event(
        game=game, kind=Event.Kind.TURN_PLAYED, at=now, actor=opponent, turn_number=turn.number
    )
    notice = Notice.new(
        KIND.kind,
        user=reader,
        language=language,
        event=event,
        game=game,
        turn_number=turn.number,
        due_at=now,
        content={"token": "sample"},
        now=now,
    )
    reads = SharedReads(
        readers=frozenset([reader.pk]),
        games=frozenset([GAME]),
        turns={GAME: turn},
        players=frozenset([reader.pk, opponent.pk]),
        at=now,
    )
    return notice, reads
