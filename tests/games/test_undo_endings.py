"""A player undoes the end of a game that they have just brought about."""

from datetime import timedelta

import pytest
from django.core import mail

from games import errors
from games.clock.time_control import per_turn
from games.models import Event, Game, Offer, Terms
from games.models.undo import MARGIN
from games.moderation.game_actions import reopen_game
from games.plan_text import parse_plan
from games.queries.finished_games import Search, finished_games
from games.queries.home import home_page
from games.queries.lists import games_of
from games.queries.seats import game_for
from games.services import offers
from games.services.clock.availability import announce_vacation
from games.services.conduct.messages import say
from games.services.deadlines import time_out_due
from games.services.ending_undo import undo_end
from games.services.endings import abort, resign
from games.services.guests import begin_practice
from games.services.invitations import ask_rematch
from games.services.plans import lay_plans
from games.services.record import faults_of
from games.services.result_counts import wrong_counts
from games.services.takebacks import undo_turn
from notifications.emails.game_context import TurnUndone, game_context
from notifications.models import Notice, SkipReason
from notifications.outbox.delivery import send_due
from notifications.outbox.recipients import make_notices
from notifications.services.calendar import calendar_of
from tests.factories import GuestFactory
from tests.games.play import DAY, SECOND, begin, fresh, kinds, play, play_all, refused
from tests.games.resigning import everything
from tests.notifications.outgoing_mail import after_hold, tell

pytestmark = pytest.mark.django_db

HOLD = timedelta(seconds=90)
OVER = "The end of this game can no longer be undone"
NONE = "there is no end to undo"


def undo(game, user, *, now):
    return undo_end(game_id=game.pk, user=user, now=now)


def is_final(game, user, *, now):
    """Fail unless the user can no longer undo the end."""
    with refused(errors.EndIsFinal, OVER, status=409):
        undo(game, user, now=now)
    assert fresh(game).is_over


def agree(game, first, last, *, now):
    offer = offers.offer_end(game_id=game.pk, user=first, now=now)
    offers.accept_offer(game_id=game.pk, user=last, now=now)
    return offer


def by_resigning(game, ann, bob, now):
    resign(game_id=game.pk, user=ann, now=now)


def by_aborting(game, ann, bob, now):
    abort(game_id=game.pk, user=ann, now=now)


def by_agreement(game, ann, bob, now):
    offers.accept_offer(game_id=game.pk, user=ann, now=now)


WAYS = [by_resigning, by_aborting, by_agreement]
PLAN = "if 1 then 9"


@pytest.fixture
def begun(game, ann, bob, now):
    """Ann has played, bob thinks and has offered to end the game; ann has planned a turn."""
    play(game, ann, "5", now=now)
    offers.offer_end(game_id=game.pk, user=bob, now=now)
    lay_plans(game_id=game.pk, user=ann, lines=[parse_plan(PLAN)], expected_turn=1, now=now)
    return fresh(game)


@pytest.fixture
def resigned(game, ann, now):
    """Ann has just resigned before her first turn."""
    resign(game_id=game.pk, user=ann, now=now)
    return fresh(game)


@pytest.mark.parametrize("end", WAYS)
def test_the_game_runs_as_if_it_had_not_ended(end, begun, ann, bob, now):
    before = everything(begun)
    end(begun, ann, bob, now + 60 * SECOND)
    assert fresh(begun).is_over
    assert everything(begun) != before
    undo(begun, ann, now=now + 120 * SECOND)
    assert everything(begun) == before
    assert faults_of(fresh(begun)) == []
    assert list(wrong_counts()) == []
    assert "ended" not in kinds(begun)
    assert kinds(begun)[-1] == "end-undone"
    play(begun, bob, "1", now=now + 130 * SECOND)
    assert fresh(begun).turn_number == 3  # ann's plan was played


def test_the_event_says_who_ended_the_game_and_how(resigned, ann, now):
    undo(resigned, ann, now=now + SECOND)
    event = resigned.events.get(kind=Event.Kind.END_UNDONE)
    assert (event.actor, event.at, event.details["ending"]) == (ann, now, "resigned")
    assert event.details["undone_at"] == (now + SECOND).isoformat()


def test_the_counts_of_results_are_as_before(game, ann, bob, now):
    resign(game_id=game.pk, user=ann, now=now)
    assert games_counted(ann) == [1]
    undo(game, ann, now=now + SECOND)
    assert games_counted(ann) == [0]
    assert list(wrong_counts()) == []
    resign(game_id=game.pk, user=ann, now=now + 2 * SECOND)
    assert games_counted(ann) == [1]
    assert list(wrong_counts()) == []


def games_counted(user):
    return list(user.kind_results.values_list("played", flat=True))


def test_the_offer_that_was_accepted_is_open_again_and_can_be_declined(game, ann, bob, now):
    offer = agree(game, bob, ann, now=now)
    undo(game, ann, now=now + SECOND)
    offer = Offer.objects.get(pk=offer.pk)
    assert (offer.state, offer.closed_at, offer.answers.count()) == ("open", None, 0)
    offers.decline_offer(game_id=game.pk, user=ann, now=now + SECOND)


def test_an_offer_that_a_turn_had_answered_stays_so(game, ann, bob, now):
    offer = offers.offer_end(game_id=game.pk, user=bob, now=now)
    play(game, ann, "5", now=now)
    resign(game_id=game.pk, user=ann, now=now)
    undo(game, ann, now=now + SECOND)
    assert Offer.objects.get(pk=offer.pk).state == "lapsed"


def test_a_pause_goes_on(game, ann, bob, now):
    offers.offer_pause(game_id=game.pk, user=ann, days=3, now=now)
    offers.accept_offer(game_id=game.pk, user=bob, now=now)
    before = everything(game)
    resign(game_id=game.pk, user=bob, now=now + DAY)
    undo(game, bob, now=now + DAY + SECOND)
    assert everything(game) == before


def test_a_bot_plays_on(ann, partner, now):
    game = begin(ann, partner, now=now)
    play(game, ann, "5", now=now)
    before = everything(game)
    assert fresh(game).bot_due_at is not None
    resign(game_id=game.pk, user=ann, now=now)
    undo(game, ann, now=now + SECOND)
    assert everything(game) == before


def test_a_vacation_announced_meanwhile_counts(begun, ann, bob, now):
    by_resigning(begun, ann, bob, now)
    announce_vacation(user=bob, begins_at=now + DAY, ends_at=now + 4 * DAY, now=now)
    before = begun.deadline
    undo(begun, ann, now=now + SECOND)
    assert fresh(begun).deadline > before


def test_an_abort_that_was_undone_does_not_count(game, ann, bob, now, settings):
    settings.ABORTS_BEFORE_PLAYING = 1
    abort(game_id=game.pk, user=ann, now=now)
    undo(game, ann, now=now + SECOND)
    abort(game_id=game.pk, user=ann, now=now + 2 * SECOND)
    assert fresh(game).status == "aborted"


def test_of_several_players_the_last_who_agreed_can_undo_it(four, people, now):
    offers.offer_end(game_id=four.pk, user=people[0], now=now)
    for person in people[1:]:
        offers.accept_offer(game_id=four.pk, user=person, now=now)
    with refused(errors.NoEndToUndo, NONE, status=409):
        undo(four, people[1], now=now)
    undo(four, people[3], now=now + SECOND)
    (offer,) = four.offers.all()
    assert (offer.state, offer.answers.count()) == ("open", 2)


# Until when --------------------------------------------------------------------------------------


def test_it_ends_a_moment_before_the_mail_may_leave(resigned, ann, now):
    assert resigned.undo_until == now + HOLD - MARGIN
    is_final(resigned, ann, now=now + HOLD - MARGIN + SECOND)
    is_final(resigned, ann, now=now + HOLD - MARGIN)
    undo(resigned, ann, now=now + HOLD - MARGIN - SECOND)


def test_it_ends_with_the_time_of_the_player_to_move(ann, bob, now):
    game = begin(ann, bob, now=now, terms=Terms(per_turn(DAY)))
    late = now + DAY - 10 * SECOND
    resign(game_id=game.pk, user=bob, now=late)
    assert fresh(game).undo_until == now + DAY
    is_final(game, bob, now=now + DAY)
    undo(game, bob, now=now + DAY - SECOND)
    assert time_out_due(now=now + DAY + SECOND) == 1
    assert fresh(game).is_over


def test_without_a_hold_the_end_is_final(game, ann, now, settings):
    settings.MAIL_HOLD = timedelta()
    resign(game_id=game.pk, user=ann, now=now)
    is_final(game, ann, now=now)


def opens_the_page(game, user, now):
    game_for(game.pk, user)


def opens_home(game, user, now):
    home_page(user)


def opens_a_profile(game, user, now):
    games_of(game.seats.get(number=0).user, user)


def searches_finished_games(game, user, now):
    finished_games(user, Search())


def reads_the_calendar(game, user, now):
    calendar_of(user, now=now)


def reads_a_mail(game, user, now):
    game_context(fresh(game), user, now)


LOOKS = [
    opens_the_page,
    opens_home,
    opens_a_profile,
    searches_finished_games,
    reads_the_calendar,
    reads_a_mail,
]


@pytest.fixture
def at(monkeypatch):
    """Return what sets the time that the pages go by."""

    def set_time(moment):
        for module in ("seats", "home", "lists"):
            monkeypatch.setattr(f"games.queries.{module}.server_now", lambda: moment)

    return set_time


@pytest.mark.parametrize("look", LOOKS)
def test_it_ends_when_the_opponent_is_shown_the_end(look, resigned, ann, bob, now, at):
    at(now + SECOND)
    look(resigned, bob, now + SECOND)
    is_final(resigned, ann, now=now + 2 * SECOND)


@pytest.mark.parametrize("look", LOOKS)
def test_the_player_and_strangers_may_look(look, resigned, ann, cat, now, at):
    at(now + SECOND)
    look(resigned, ann, now + SECOND)
    if look != reads_a_mail:
        look(resigned, cat, now + SECOND)
    undo(resigned, ann, now=now + 2 * SECOND)


def test_finished_games_no_longer_list_one_that_was_undone(resigned, ann, now):
    assert [game.pk for game in finished_games(ann, Search()).games] == [resigned.pk]
    undo(resigned, ann, now=now + SECOND)
    assert finished_games(ann, Search()).games == []


# Mail --------------------------------------------------------------------------------------------


def test_nobody_is_told_of_an_end_that_was_undone(begun, ann, bob, now):
    tell(now)
    mail.outbox.clear()
    by_resigning(begun, ann, bob, now + 100 * SECOND)
    make_notices(now=now + 100 * SECOND)
    assert Notice.objects.waiting().filter(kind="game-over").exists()
    undo(begun, ann, now=now + 110 * SECOND)
    send_due(now=now + 300 * SECOND)
    assert mail.outbox == []
    # Nor a second time of one that follows.
    by_resigning(begun, ann, bob, now + DAY)
    tell(now + DAY)
    assert [letter.to for letter in mail.outbox].count(["bob@example.org"]) == 1


def test_nobody_is_told_of_an_end_that_was_undone_before_notices_were_written(resigned, ann, now):
    make_notices(now=now)
    Notice.objects.all().delete()
    Event.objects.filter(kind="ended").update(noticed_at=None)
    undo(resigned, ann, now=now + SECOND)
    make_notices(now=now + SECOND)
    assert not Notice.objects.exists()


def test_an_end_is_final_when_its_mail_has_left(resigned, ann, bob, now):
    tell(now)
    assert "bob@example.org" in [letter.to[0] for letter in mail.outbox]
    is_final(resigned, ann, now=after_hold(now))


def test_an_end_is_final_when_another_mail_was_dropped_because_of_it(game, ann, bob, now):
    """Bob would never be told that it is his turn."""
    tell(now)
    play(game, ann, "5", now=now)
    make_notices(now=now)
    resign(game_id=game.pk, user=ann, now=now + 60 * SECOND)
    send_due(now=now + 95 * SECOND)
    assert Notice.objects.filter(user=bob, kind="your-turn").latest("pk").state == "dropped"
    is_final(game, ann, now=now + 100 * SECOND)


def test_the_mail_about_a_turn_is_sent_when_the_end_was_undone_before(game, ann, bob, now):
    tell(now)
    mail.outbox.clear()
    play(game, ann, "5", now=now)
    make_notices(now=now)
    resign(game_id=game.pk, user=ann, now=now + 60 * SECOND)
    undo(game, ann, now=now + 80 * SECOND)
    send_due(now=now + 95 * SECOND)
    assert [letter.to for letter in mail.outbox] == [["bob@example.org"]]


def test_a_mail_is_not_written_with_an_end_that_was_undone_meanwhile(resigned, ann, bob, now):
    undo(resigned, ann, now=now + SECOND)
    with pytest.raises(TurnUndone):
        game_context(resigned, bob, now + 2 * SECOND)


# What cannot be undone ---------------------------------------------------------------------------


def test_nobody_undoes_the_end_of_somebody_else(resigned, bob, cat, now):
    with refused(errors.NoEndToUndo, NONE, status=409):
        undo(resigned, bob, now=now)
    with refused(errors.NotAPlayer, "You do not play in this game", status=403):
        undo(resigned, cat, now=now)


def test_an_end_is_undone_once(resigned, ann, now):
    undo(resigned, ann, now=now)
    with refused(errors.NoEndToUndo, NONE, status=409):
        undo(resigned, ann, now=now)


def test_a_running_game_has_no_end_to_undo(game, ann, now):
    with refused(errors.NoEndToUndo, NONE, status=409):
        undo(game, ann, now=now)


def test_the_turn_before_the_end_is_not_undone_afterwards(game, ann, now):
    play(game, ann, "5", now=now)
    resign(game_id=game.pk, user=ann, now=now + SECOND)
    undo(game, ann, now=now + 2 * SECOND)
    with refused(errors.UndoIsOver, "Your turn can no longer be undone", status=409):
        undo_turn(game_id=game.pk, user=ann, now=now + 3 * SECOND)


def test_a_turn_that_ended_the_game_stands(game, ann, now):
    play_all(game, ["5", "1", "2", "3"], now=now)
    play(game, ann, "8", now=now)
    is_final(game, ann, now=now)


def test_a_time_out_is_not_undone(game, ann, bob, now):
    play_all(game, ["5", "1"], now=now)
    assert time_out_due(now=now + 3 * DAY) == 1
    for player in (ann, bob):
        with refused(errors.NoEndToUndo, NONE, status=409):
            undo(game, player, now=now + 3 * DAY)


def test_a_game_that_a_moderator_reopened_is_not_reopened_again(game, ann, mo, now):
    """Only ends on time are; the columns that undoing reads are those of an earlier end."""
    play_all(game, ["5", "1"], now=now)
    resign(game_id=game.pk, user=ann, now=now)
    kept = Game.objects.filter(pk=game.pk).values("undo_until", "undo_by", "before_turn").get()
    undo(game, ann, now=now)
    time_out_due(now=now + 3 * DAY)
    reopen_game(game_id=game.pk, by=mo, why="asked for", now=now + 3 * DAY)
    Game.objects.filter(pk=game.pk).update(**kept)
    with refused(errors.NoEndToUndo, NONE, status=409):
        undo(game, ann, now=now)


def test_who_has_asked_for_a_rematch_meant_the_end(resigned, ann, now):
    ask_rematch(game_id=resigned.pk, user=ann, now=now)
    is_final(resigned, ann, now=now + SECOND)


def test_a_message_that_waits_ends_nothing(resigned, ann, now):
    say(game_id=resigned.pk, user=ann, text="Sorry, that was a mistake", via="web", now=now)
    undo(resigned, ann, now=now + SECOND)


@pytest.mark.parametrize("change", [{"is_active": False}, {"barred_until": timedelta(days=1)}])
def test_no_game_runs_with_a_player_who_is_gone(change, resigned, ann, bob, now):
    for name, value in change.items():
        setattr(bob, name, now + value if isinstance(value, timedelta) else value)
    bob.save()
    is_final(resigned, ann, now=now + SECOND)


def test_who_is_barred_undoes_nothing(resigned, ann, now):
    ann.barred_until = now + DAY
    ann.save()
    with refused(errors.Barred, "A moderator has suspended your account", status=403):
        undo(resigned, ann, now=now + SECOND)


def test_a_guest_has_no_more_games_by_undoing(partner, now, settings):
    settings.GUEST_GAMES = 1
    guest = GuestFactory()
    game = begin_practice(user=guest, rules_slug="morpion", now=now)
    resign(game_id=game.pk, user=guest, now=now)
    begin_practice(user=guest, rules_slug="morpion", now=now)
    with refused(errors.GuestGamesEnough, "Guests play at most 1 games", status=403):
        undo(game, guest, now=now + SECOND)


def test_what_is_kept_of_an_earlier_end_undoes_no_other(resigned, ann, now):
    """An earlier release ends games without the columns that undoing reads."""
    Game.objects.filter(pk=resigned.pk).update(ended_at=now - SECOND)
    is_final(resigned, ann, now=now + SECOND)


def test_who_ends_a_game_again_is_told_of_once(begun, ann, bob, now):
    tell(now)
    mail.outbox.clear()
    by_resigning(begun, ann, bob, now + 100 * SECOND)
    make_notices(now=now + 100 * SECOND)
    undo(begun, ann, now=now + 110 * SECOND)
    by_resigning(begun, ann, bob, now + 120 * SECOND)
    make_notices(now=now + 120 * SECOND)
    send_due(now=now + 300 * SECOND)
    sent = Notice.objects.filter(kind="game-over", user=bob).order_by("pk")
    told = [(notice.state, notice.skip_reason) for notice in sent]
    assert told == [("dropped", SkipReason.NOTHING_TO_TELL), ("sent", "")]
