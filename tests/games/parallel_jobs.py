"""The jobs that a process of `parallel` can do. Imported once, before the processes are forked."""

import os
import signal
from operator import attrgetter

import django

django.setup()

from django.db import connection  # noqa: E402
from django.db.models import prefetch_related_objects  # noqa: E402

from accounts.models import User  # noqa: E402
from games import errors  # noqa: E402
from games.models import Entrant, Game, TeamInvitation, Turn  # noqa: E402
from games.moderation import competition, people  # noqa: E402
from games.queries.home import home_page  # noqa: E402
from games.queries.seats import game_for  # noqa: E402
from games.services import (  # noqa: E402
    competition_games,
    ending_undo,
    endings,
    puzzles,
    tables,
    takebacks,
    thinking,
    turns,
    wishes,
)
from games.services.clock import availability, outages, stops, timeouts, undelivered_turns  # noqa: E402
from games.services.clubs import boards  # noqa: E402
from games.services.clubs import clubs as club_services  # noqa: E402
from games.services.clubs import members as club_members  # noqa: E402
from games.services.deadlines import time_out_due  # noqa: E402
from games.services.ladders import challenges, places, upkeep  # noqa: E402
from games.services.leagues import entries, seasons, teams  # noqa: E402
from games.services.reminders import remind_due  # noqa: E402
from games.services.tournaments import entries as tournament_entries  # noqa: E402
from games.services.tournaments import rounds  # noqa: E402
from notifications.deletion.deleting import delete_account  # noqa: E402
from notifications.emails.game_context import TurnUndone, game_context  # noqa: E402
from notifications.outbox import puzzle_letters, recipients  # noqa: E402

undelivered_turns.CHECKS.clear()  # in these tests, too, everybody is told of their turn


def turn(*, game_id, user, text, expected, now):
    played = turns.play_turn(
        game_id=game_id,
        user=user,
        text=text,
        expected_turn=expected,
        via=Turn.Via.WEB,
        now=now,
    )
    return "already" if played.already else "played"


def sweep(*, now):
    return time_out_due(now=now)


def remind(*, now):
    return remind_due(now=now)


def think(*, now):
    return thinking.play_for_bots(now=now)


def make_puzzles(*, now):
    return puzzles.make_puzzles(now=now)


def answer(*, user, day, text, now, line=()):
    given = {"day": day, "user": user, "line": line, "now": now}
    return puzzles.answer_puzzle(text=text, **given).judged.is_right


def expire(*, now):
    return tables.expire_due(now=now)


def join(*, game_id, user, now):
    tables.join_table(game_id=game_id, user=user, now=now)
    return "seated"


def join_by_link(*, token, user, now):
    tables.join_by_link(token=token, user=user, now=now)
    return "seated"


def resign(*, game_id, user, now):
    endings.resign(game_id=game_id, user=user, now=now)
    return "left"


def undo(*, game_id, user, now):
    takebacks.undo_turn(game_id=game_id, user=user, now=now)
    return "undone"


def undo_end(*, game_id, user, now):
    ending_undo.undo_end(game_id=game_id, user=user, now=now)
    return "undone"


def delete(*, user, now):
    """Delete an account whose deletion is due."""
    return delete_account(user.pk, now)


def ban(*, user, now):
    by, running = User.objects.get(username="mo"), people.Running.WITHDRAW
    people.ban_user(person_id=user.pk, by=by, why="Cheated", running=running, now=now)
    return "banned"


def look_at_status(*, game_id, user):
    """Return whether the game is over for a player who opens its page."""
    return game_for(game_id, user).status


def look(*, game_id, user):
    """Return how many turns the game has for a player who opens its page."""
    return game_for(game_id, user).turn_number


def look_at_list(*, game_id, user):
    """Return how many turns the game has for a player who opens the list of their games."""
    page = home_page(user)
    return next(row.turn_number for row in (*page.awaiting, *page.waiting) if row.pk == game_id)


def write_mail(*, game_id, user, now):
    """Return how many turns the game has in a mail to a player, None if it must be written anew."""
    game = Game.objects.get(pk=game_id)
    prefetch_related_objects([game], "seats__user")
    try:
        game_context(game, user, now)
    except TurnUndone:
        return None
    return game.turn_number


def make_notices(*, now):
    return recipients.make_notices(now=now)


def beat(*, now):
    return outages.record_heartbeat(now=now)


def recount(*, now):
    return sum(iter(lambda: outages.recount_after_outage(now=now), 0))


def end_stops(*, now):
    return stops.end_stops(now=now)


def contact(*, user, now):
    return undelivered_turns.record_contact(user, now=now)


def freeze(*, game_id, user, turn_number, now):
    return undelivered_turns.freeze_undelivered(
        game_id=game_id, turn_number=turn_number, user=user, now=now
    )


def forgotten(*, user):
    """Tell whether a game stands still for somebody whose next visit would not start it."""
    frozen = Game.objects.filter(stop_reason="undelivered").exists()
    return frozen and User.objects.get(pk=user.pk).unreachable_since is None


def claim(*, game_id, user, now):
    timeouts.claim_seat(game_id=game_id, user=user, now=now)
    return "seated"


def announce(*, user, begins_at, ends_at, now):
    availability.announce_vacation(user=user, begins_at=begins_at, ends_at=ends_at, now=now)
    return "announced"


def leagues(*, now):
    return seasons.run_leagues(now=now)


def join_league(*, user, now):
    entries.join_season(rules_slug="morpion", user=user, now=now)
    return "joined"


def ask_partner(*, user, partner, now):
    other = User.objects.get(username=partner)
    teams.invite_partner(rules_slug="superpion", user=user, partner=other, now=now)
    return "asked"


def accept_partner(*, user, by, now):
    asked = TeamInvitation.objects.get(entry__user__username=by, user=user)
    teams.accept_partner(invitation_id=asked.pk, user=user, now=now)
    return "accepted"


def play_alone(*, user, now):
    teams.play_without_partner(rules_slug="superpion", user=user, now=now)
    return "alone"


def ladders(*, now):
    return upkeep.run_ladders(now=now)


def join_ladder(*, user, now, club_id=None):
    places.join_ladder(rules_slug="morpion", user=user, now=now, club_id=club_id)
    return "joined"


def leave_ladder(*, user, now):
    places.leave_ladder(rules_slug="morpion", user=user, now=now)
    return "left"


def call(*, user, opponent, now, club_id=None):
    other = User.objects.get(username=opponent)
    challenges.challenge_player(
        rules_slug="morpion", user=user, opponent=other, now=now, club_id=club_id
    )
    return "challenged"


def settle_call(*, challenge_id, user, how, now):
    service = {
        "accept": challenges.accept_challenge,
        "decline": challenges.decline_challenge,
        "withdraw": challenges.withdraw_challenge,
    }[how]
    service(challenge_id=challenge_id, user=user, now=now)
    return how


def tournaments(*, now):
    return rounds.run_tournaments(now=now)


def join_tournament(*, tournament_id, user, now):
    tournament_entries.join_tournament(tournament_id=tournament_id, user=user, now=now)
    return "joined"


def leave_tournament(*, tournament_id, user, now):
    tournament_entries.leave_tournament(tournament_id=tournament_id, user=user, now=now)
    return "left"


def expel(*, tournament_id, user, now):
    """Let the moderator "mo" remove a player from a tournament."""
    entrant = Entrant.objects.get(tournament=tournament_id, user=user)
    by = User.objects.get(username="mo")
    competition.remove_from_tournament(entrant_id=entrant.pk, by=by, why="Cheated", now=now)
    return "removed"


def cancel(*, tournament_id, now):
    """Let the moderator "mo" cancel a tournament."""
    by = User.objects.get(username="mo")
    competition.cancel_as_moderator(tournament_id=tournament_id, by=by, why="Wrong rules", now=now)
    return "cancelled"


def clubs(*, now):
    return boards.run_clubs(now=now)


def open_club(*, user, name, now):
    club_services.open_club(user=user, name=name, now=now)
    return "opened"


def in_club(*, service, club_id, user, now, person=None):
    """Do what a service of the members of a club does, to `person` if it is named."""
    arguments = {"club_id": club_id, "now": now}
    if person is None:
        arguments["user"] = user
    else:
        arguments |= {"by": user, "person": User.objects.get(username=person)}
    getattr(club_members, service)(**arguments)
    return service


def pair(*, now):
    return wishes.pair_wishes(now=now)


def write_letters(*, now):
    return puzzle_letters.write_puzzle_letters(now=now)


def withdraw_wish(*, wish_id, user, now):
    wishes.withdraw_wish(wish_id=wish_id, user=user, now=now)
    return "withdrawn"


def play_until_killed(database, jobs, point, count):
    """Do jobs of `turn`; this process is killed the `count`th time that it comes to a point.

    Points are names of functions of `games.services.turns`; they have done their work then.
    """
    connection.settings_dict["NAME"] = database
    kill_at(turns, point, count)
    for _, arguments in jobs:
        turn(**with_account(arguments))


KILLED_IN = {
    "leagues": (seasons, teams, competition_games),
    "ladders": (upkeep,),
    "tournaments": (rounds, competition_games),
    "clubs": (boards, competition_games),
    "pair": (wishes,),
}
"""The chores that may be killed on their way, and the modules whose functions are the points."""


def run_until_killed(database, chore, now, point, count):
    """Run a chore; this process is killed the `count`th time that it comes to a point.

    A point is the name of a function of the first of the chore's modules that has it.
    """
    connection.settings_dict["NAME"] = database
    kill_at(next(one for one in KILLED_IN[chore] if hasattr(one, point)), point, count)
    JOBS[chore](now=now)


def write_letters_until_killed(database, now, point):
    """Write letters with the puzzle; this process is killed just after a function did its work.

    `point` is its name as `puzzle_letters` has it; `write_puzzle_letters` has committed then.
    """
    connection.settings_dict["NAME"] = database
    *owner, name = point.split(".")
    kill_at(attrgetter(".".join(owner))(puzzle_letters) if owner else puzzle_letters, name, 1)
    puzzle_letters.write_puzzle_letters(now=now)


def kill_at(module, point, count):
    """Let this process be killed just after the `count`th call of a function of a module."""
    original, calls = getattr(module, point), []

    def killed(*args, **kwargs):
        answer = original(*args, **kwargs)
        calls.append(point)
        if len(calls) == count:
            os.kill(os.getpid(), signal.SIGKILL)
        return answer

    setattr(module, point, killed)


def think_until_killed(database, now):
    """Be killed in the middle of a program's thought."""
    connection.settings_dict["NAME"] = database
    thinking.choose_turn = lambda claimed, is_stopped: os.kill(os.getpid(), signal.SIGKILL)
    thinking.play_for_bots(now=now)


def sweep_on(database, now):
    """Sweep again and again, until nothing is due any more or somebody kills this process."""
    connection.settings_dict["NAME"] = database
    while Game.objects.filter(deadline__lt=now).exists():
        time_out_due(now=now)
    connection.close()


PLAYERS = (
    turn,
    think,
    undo,
    undo_end,
    delete,
    ban,
    look,
    look_at_status,
    look_at_list,
    write_mail,
    join,
    join_by_link,
    resign,
    contact,
    freeze,
    forgotten,
    claim,
    announce,
    answer,
    join_league,
    ask_partner,
    accept_partner,
    play_alone,
    join_tournament,
    leave_tournament,
    expel,
    cancel,
    withdraw_wish,
    join_ladder,
    leave_ladder,
    call,
    settle_call,
    open_club,
    in_club,
)
CHORES = (
    *(leagues, make_notices, sweep, remind, expire, beat, recount, end_stops, make_puzzles),
    *(pair, write_letters, ladders, tournaments, clubs),
)
JOBS = {job.__name__: job for job in PLAYERS + CHORES}


def with_account(arguments):
    """Return the arguments of a job with the account of its `user` instead of a username."""
    if "user" not in arguments:
        return arguments
    return {**arguments, "user": User.objects.get(username=arguments["user"])}


def follow(database, jobs, barrier, pipe):
    """Do the jobs one after another, each together with everybody else's."""
    connection.settings_dict["NAME"] = database
    connection.ensure_connection()
    answers = []
    for name, arguments in jobs:
        # As in a request: who acts was read before it meets the others, and may be gone by then.
        given = with_account(arguments)
        barrier.wait(60)
        try:
            answers.append(JOBS[name](**given))
        except errors.Refusal as refusal:
            answers.append(refusal.code)
    connection.close()
    pipe.send(answers)
