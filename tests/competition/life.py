"""What else the people of the simulated world do, and what is done to them: each by its service."""

from collections import Counter, defaultdict
from datetime import timedelta

from accounts.models import User
from games import errors
from games.clock.time_control import per_turn
from games.models import LadderChallenge, LadderPlace, Tournament, Wish
from games.moderation.action_names import Running
from games.moderation.people import ban_user, suspend_user
from games.services.clock.availability import announce_vacation
from games.services.ladders.challenges import (
    accept_challenge,
    challenge_player,
    decline_challenge,
    withdraw_challenge,
)
from games.services.ladders.places import join_ladder, leave_ladder
from games.services.leagues.entries import (
    decline_season,
    join_season,
    leave_season,
    skip_season,
)
from games.services.tournaments.entries import join_tournament, leave_tournament
from games.services.wishes import change_wish, make_wish, withdraw_wish
from notifications.deletion.requests import ask_for_deletion, call_off_deletion
from tests.factories import ModeratorFactory

DAY = timedelta(days=1)
SLUG = "morpion"

EVENTS = {
    "vacation": 0.3,
    "suspension": 0.04,
    "long suspension": 0.015,
    "ban": 0.004,
    "deletion": 0.01,
    "deletion called off": 0.02,
    "leave season": 0.05,
    "leave tournament": 0.05,
    "leave ladder": 0.1,
    "skip season": 0.06,
    "decline season": 0.02,
    "join": 0.4,
    "withdraw wish": 0.1,
    "wish": 1.0,
}
"""How often each happens in thirty days, by share of the people; at least twice in all."""

TRIES = 8
"""So many people are asked to do something that others cannot do just then."""

CHALLENGES = 0.05
"""The share of the players of a ladder who try to challenge somebody on a day."""


class Life:
    """Draws what happens on each day. `done` counts what services did, `refused` what not."""

    def __init__(self, people, chance):
        self.people, self.chance = people, chance
        self.by_user = {one.user.pk: one for one in people}
        self.planned = defaultdict(list)
        self.answers = {}
        self.done, self.refused = Counter(), Counter()
        self.moderator = ModeratorFactory(username="umpire")

    def live(self, day, now):
        """Do what was drawn for a day."""
        if day % 30 == 0:
            for what, share in EVENTS.items():
                for _ in range(max(2, round(share * len(self.people)))):
                    self.planned[day + self.chance.randrange(30)].append(what)
        for what in self.planned.pop(day, ()):
            for _ in range(TRIES):
                person = self.chance.choice(self.people)
                if self.attempt(what, EVENT_OF[what], self, person, now):
                    break

    def attempt(self, what, service, *arguments, **named):
        """Call a service; return, and count, whether it did something."""
        try:
            if service(*arguments, **named) is False:
                return False
        except errors.Refusal as refusal:
            self.refused[what, type(refusal).__name__] += 1
            return False
        self.done[what] += 1
        return True

    # Ladders -----------------------------------------------------------------------------------

    def climb(self, day, now):
        """Answer challenges on the day that was drawn for each, and make new ones."""
        waiting = LadderChallenge.objects.filter(state="waiting").order_by("pk")
        for key, one, other in waiting.values_list("pk", "challenger", "challenged"):
            person = self.by_user[other]
            if key not in self.answers:
                how = self.chance.choices(
                    [accept_challenge, decline_challenge, withdraw_challenge, None],
                    [0.8, 0.1, 0.02, 0.08 + person.forgets],
                )[0]
                self.answers[key] = (day + self.chance.randrange(4), how)
            when, how = self.answers[key]
            if how is None or day < when or person.is_away(now):
                continue
            who = self.by_user[one] if how is withdraw_challenge else person
            self.attempt(how.__name__, how, challenge_id=key, user=who.user, now=now)
        places = LadderPlace.objects.exclude(place=None).order_by("place")
        order = list(places.values_list("user", flat=True))
        tries = max(1, round(CHALLENGES * len(order))) if len(order) > 1 else 0
        for _ in range(tries):
            place = self.chance.randrange(1, len(order))
            above = order[max(0, place - self.chance.randint(1, 5))]
            who, whom = self.by_user[order[place]], self.by_user[above]
            if not who.is_away(now):
                self.attempt(
                    "challenge_player",
                    challenge_player,
                    rules_slug=SLUG,
                    user=who.user,
                    opponent=whom.user,
                    now=now,
                )


def refreshed(person):
    """Read the account of a person again."""
    person.user = User.objects.get(pk=person.user.pk)


def go_away(life, person, now):
    days = life.chance.randint(2, 9)
    begins_at = now + life.chance.randint(0, 5) * DAY
    announce_vacation(
        user=person.user, begins_at=begins_at, ends_at=begins_at + days * DAY, now=now
    )
    if begins_at == now:
        person.away_until = now + days * DAY


def suspend(days):
    def impose(life, person, now):
        suspend_user(
            person_id=person.user.pk, by=life.moderator, why="So.", until=now + days * DAY, now=now
        )
        refreshed(person)

    return impose


def ban(life, person, now):
    running = life.chance.choice([Running.CLOCK, Running.WITHDRAW])
    ban_user(person_id=person.user.pk, by=life.moderator, why="So.", running=running, now=now)
    refreshed(person)


def delete_account(life, person, now):
    ask_for_deletion(user=person.user, typed_name=person.user.username, request=None, now=now)
    refreshed(person)


def keep_account(life, person, now):
    delete_account(life, person, now)
    call_off_deletion(user=person.user, request=None, now=now + DAY / 24)
    refreshed(person)


def of_league(service):
    return lambda life, person, now: service(rules_slug=SLUG, user=person.user, now=now)


def leave_a_tournament(life, person, now):
    """Let somebody leave who plays in a tournament; return whether anybody does."""
    running = Tournament.objects.filter(started_at__isnull=False, ended_at=None).order_by("pk")
    players = running.filter(entrants__number__isnull=False, entrants__left_at=None)
    found = list(players.order_by("pk", "entrants__number").values_list("pk", "entrants__user"))
    if found:
        key, user = life.chance.choice(found)
        leave_tournament(tournament_id=key, user=life.by_user[user].user, now=now)
    return bool(found)


def leave_a_ladder(life, person, now):
    """Let somebody leave the ladder who is on it."""
    order = list(LadderPlace.objects.exclude(place=None).order_by("place"))
    user = life.by_user[life.chance.choice(order).user_id].user
    leave_ladder(rules_slug=SLUG, user=user, now=now)


def join_something(life, person, now):
    """Join a competition that the person likes, also after having left it; return whether so."""
    likes = life.chance.choice(person.likes)
    if likes == "swiss":
        return join_next_tournament(life, person, now)
    join = {"league": join_season, "ladder": join_ladder}[likes]
    join(rules_slug=SLUG, user=person.user, now=now)
    return True


def join_next_tournament(life, person, now):
    """Join a tournament that has not started; return whether there is one."""
    coming = list(Tournament.objects.filter(started_at=None, ended_at=None).order_by("pk"))
    if coming:
        chosen = life.chance.choice(coming)
        join_tournament(tournament_id=chosen.pk, user=person.user, now=now)
    return bool(coming)


def wish_for_opponents(life, person, now):
    """Wish for opponents, or look again after having let a game run out of time.

    Returns whether the person wishes for any.
    """
    if not person.at_once:
        return False
    wish = Wish.objects.filter(user=person.user, withdrawn_at=None).first()
    numbers = {"at_once": person.at_once, "user": person.user, "now": now}
    if wish is not None:
        change_wish(wish_id=wish.pk, lowest=None, highest=None, **numbers)
    else:
        make_wish(rules_slug=SLUG, options={}, pace=per_turn(3 * DAY), via=Wish.Via.WEB, **numbers)
    return True


def withdraw_a_wish(life, person, now):
    """Let somebody withdraw a wish; return whether there is one."""
    wishes = list(Wish.objects.filter(withdrawn_at=None).order_by("pk"))
    if wishes:
        chosen = life.chance.choice(wishes)
        withdraw_wish(wish_id=chosen.pk, user=life.by_user[chosen.user_id].user, now=now)
    return bool(wishes)


EVENT_OF = {
    "vacation": go_away,
    "suspension": suspend(4),
    "long suspension": suspend(60),
    "ban": ban,
    "deletion": delete_account,
    "deletion called off": keep_account,
    "leave season": of_league(leave_season),
    "leave tournament": leave_a_tournament,
    "leave ladder": leave_a_ladder,
    "skip season": of_league(skip_season),
    "decline season": of_league(decline_season),
    "join": join_something,
    "withdraw wish": withdraw_a_wish,
    "wish": wish_for_opponents,
}
