"""Every letter that Pli writes and that can be answered, as it was sent, by what it is."""

from datetime import timedelta

from django.core import mail

from games.models import Event, Puzzle
from games.moderation.game_actions import pause_game
from games.services import deadlines, endings, invitations, offers, reminders
from games.services.clock import added_time
from games.services.conduct.messages import say
from games.services.ladders.challenges import challenge_player
from games.services.ladders.places import join_ladder
from games.services.puzzles import puzzle_of
from notifications.incoming.processing import process_due
from notifications.incoming.receiving import receive
from notifications.models import DAILY, IncomingMail, Notice
from notifications.outbox.digests import send_digests
from notifications.outbox.ladder_letters import tell_ladders
from notifications.outbox.league_letters import tell_leagues
from notifications.outbox.puzzle_letters import write_puzzle_letters
from notifications.outbox.tournament_letters import tell_tournaments
from notifications.services.preferences import save_digest_schedule, subscribe_to_puzzles
from notifications.services.replies import reply_address
from tests.games.leagues.simulation import started as started_season
from tests.games.moderating import a_moderator
from tests.games.multiplayer import gather, play_on
from tests.games.play import SECOND, begin, fresh, table
from tests.games.tournaments.simulation import started as started_tournament
from tests.notifications.incoming_mail import answer, turn_token
from tests.notifications.outgoing_mail import html_of, play, tell
from tests.notifications.replies.clients import Letter

ORDERS = ("help", "rules", "history", "77", "say hello", "5\nHello\nthere")
"""What is answered with a long text, with little, with legal turns, with a message."""


def letters_to(people, now):
    """Have everything happen that Pli writes of; return each letter: {what it is: Letter}."""
    for happens in (
        _of_two,
        _of_several,
        _of_tables,
        _of_clocks,
        _of_talk,
        _of_digests,
        _of_puzzles,
        _of_ladders,
        _of_seasons,
        _of_tournaments,
    ):
        happens(people, now)
    found = {sent.extra_headers["X-Pli-Kind"]: sent for sent in mail.outbox}
    found |= _answers(people, now)
    return {
        kind: Letter(sent.body, html_of(sent), sent.subject, _answered_to(sent))
        for kind, sent in found.items()
    }


def _answered_to(sent):
    return sent.extra_headers["Reply-To"]


def _of_two(people, now):
    creator, guest, *_ = people
    asked = table(creator, now=now, days=4, is_public=False)
    challenge = invitations.challenge(game_id=asked.pk, by=creator, user=guest, now=now)
    tell(now)
    game = invitations.accept(invitation_id=challenge.pk, user=guest, now=now)
    tell(now)
    play(game, creator, "5", now)
    tell(now)
    late = now + timedelta(days=3)
    reminders.remind_due(now=late)
    tell(late)
    offers.offer_end(game_id=game.pk, user=creator, now=late)
    tell(late)
    endings.resign(game_id=game.pk, user=creator, now=late)
    tell(late)


def _of_several(people, now):
    game = gather(people, now=now)
    tell(now)
    play_on(game, 1, now=now)
    tell(now)
    endings.resign(game_id=game.pk, user=people[3], now=now)
    tell(now)


def _of_tables(people, now):
    creator, guest, *_ = people
    waiting = table(creator, now=now, is_public=False)
    invitations.invite(game_id=waiting.pk, by=creator, email="ida@example.net", now=now)
    tell(now)
    asked = table(creator, now=now, is_public=False)
    challenge = invitations.challenge(game_id=asked.pk, by=creator, user=guest, now=now)
    invitations.decline(invitation_id=challenge.pk, user=guest, now=now)
    tell(now)


def _of_clocks(people, now):
    """Time is given, a moderator pauses, and a vacation begins by itself."""
    ann, bob, cat, _ = people
    game = begin(ann, bob, now=now)
    added_time.grant_time(game_id=game.pk, user=bob, now=now)
    tell(now)
    pause_game(game_id=game.pk, by=a_moderator(f"mo-{ann.language}"), why="a quarrel", now=now)
    tell(now)
    cat.automatic_vacation = True
    cat.save()
    away = begin(cat, bob, now=now, days=2)
    over = fresh(away).deadline + SECOND
    deadlines.time_out_due(now=over)
    assert away.events.filter(kind=Event.Kind.VACATION_BEGUN).exists()
    tell(over)


def _of_talk(people, now):
    ann, bob, *_ = people
    game = begin(ann, bob, now=now)
    tell(now)
    said = "accept\n7\nOn Monday I wrote:\n-- \nresign"
    say(game_id=game.pk, user=bob, text=said, via="web", now=now)
    tell(now)


def _of_digests(people, now):
    _, _, cat, dan = people
    for text in ("Hello", "7"):
        game = begin(dan, cat, now=now)
        say(game_id=game.pk, user=cat, text=text, via="web", now=now)
    tell(now)
    plan = save_digest_schedule(user=dan, later_hours=8, digest_every=DAILY, digest_hour=8, now=now)
    send_digests(now=plan.digest_due_at)
    tell(plan.digest_due_at)


def _of_puzzles(people, now):
    subscribe_to_puzzles(user=people[1], now=now - timedelta(days=1))
    Puzzle.objects.bulk_create([puzzle_of(now.date())], ignore_conflicts=True)
    write_puzzle_letters(now=now)
    tell(now)


def _of_ladders(people, now):
    creator, guest, *_ = people
    for person in (creator, guest):
        join_ladder(rules_slug="morpion", user=person, now=now)
    challenge_player(rules_slug="morpion", user=guest, opponent=creator, now=now)
    tell_ladders(now=now)
    tell(now)


def _of_seasons(people, now):
    started_season(people[:3], now)
    tell_leagues(now=now)
    tell(now)


def _of_tournaments(people, now):
    started_tournament(people, now)
    tell_tournaments(now=now)
    tell(now)


def _answers(people, now):
    """Return the answers to every order of ORDERS, by "answer: " and the order."""
    found = {}
    for order in ORDERS:
        game = begin(people[0], people[1], now=now)
        token = turn_token(people[0], now)
        sender = people[0].email
        receive(
            answer(token, order, sender),
            recipient=reply_address(token),
            envelope_from=sender,
            door=IncomingMail.Door.SMTP,
            now=now,
        )
        process_due(now=now)
        tell(now)
        kind = Notice.objects.filter(kind="answer", user=people[0]).latest("pk")
        assert kind.game == game
        found[f"answer: {order}"] = next(
            sent for sent in reversed(mail.outbox) if sent.extra_headers["X-Pli-Kind"] == "answer"
        )
    return found
