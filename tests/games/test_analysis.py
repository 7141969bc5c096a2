"""Private analyses: what is played and written there, every refusal, and who may read it."""

import pytest
from django.contrib import admin

from accounts.guests import create_guest
from games import errors, planning_errors
from games.models import AnalysisNode, Event, Game, Outage, SharedAnalysis
from games.models.analysis import LONGEST_NOTATION, LONGEST_NOTE
from games.moderation.game_actions import pause_game, reopen_game
from games.queries.analysis import line_to, nodes_of, position_of, shared_analyses
from games.queries.seats import game_for
from games.rules.errors import IllegalMoveError
from games.services import analysis, endings, takebacks
from games.services.deadlines import time_out_due
from notifications.kinds.base import compose
from notifications.models import Notice
from notifications.outbox.recipients import make_notices
from tests.games.multiplayer import gather, play_on, some_turn
from tests.games.play import DAY, SECOND, begin, fresh, play, play_all, refused, table, unchanged

pytestmark = pytest.mark.django_db

SECRET = "the knight on the rim is a quince tart"


class Desk:
    """A user's analysis of a game."""

    def __init__(self, game, user, now):
        self.game, self.user, self.now = game, user, now
        self.who = {"game_id": game.pk, "user": user, "now": now}

    def play(self, text, after=None, turn=0):
        parent_id = after.pk if after else None
        return analysis.play_variation(parent_id=parent_id, text=text, turn=turn, **self.who)

    def play_line(self, *texts, turn=0):
        node, line = None, []
        for text in texts:
            node = self.play(text, node, turn)
            line.append(node)
        return line

    def note(self, text, node=None, turn=0):
        node_id = node.pk if node else None
        return analysis.write_note(node_id=node_id, text=text, turn=turn, **self.who)

    def delete(self, node):
        return analysis.delete_variation(node_id=node.pk, **self.who)

    def share(self):
        analysis.share_analysis(**self.who)

    def stop(self):
        analysis.stop_sharing(**self.who)

    def kept(self):
        """Return what is kept: each position's entry, line and note."""
        nodes = nodes_of(self.game, self.user)
        return [
            (node.turn, [one.notation for one in line_to(nodes, node)], node.note)
            for node in nodes.values()
        ]


@pytest.fixture
def desk(game, ann, now):
    """Ann's analysis of a game in which nobody has played."""
    return Desk(game, ann, now)


def position(game, user, node):
    return position_of(fresh(game), nodes_of(game, user), node.turn, node)


# Variations ------------------------------------------------------------------------------------


def test_variations_are_a_tree_of_positions(desk, game, ann):
    five, one = desk.play_line("5", "1")
    other = desk.play("2", five)
    assert desk.kept() == [
        (0, [], ""),
        (0, ["5"], ""),
        (0, ["5", "1"], ""),
        (0, ["5", "2"], ""),
    ]
    assert game.rules.dump(position(game, ann, one)) == "O...X...."
    assert game.rules.dump(position(game, ann, other)) == ".O..X...."
    assert fresh(game).turn_number == 0


def test_a_turn_is_kept_in_its_canonical_text_and_once(ann, bob, now):
    game = begin(ann, bob, now=now, slug="taquet")
    desk = Desk(game, ann, now)
    node = desk.play(" A1 ")
    assert node.notation == "a1"
    with unchanged():
        assert desk.play("a1") == node


def test_a_variation_begins_at_any_entry_of_the_record(desk, game, ann, now):
    play_all(game, ["5", "1", "9"], now=now)
    assert position(game, ann, desk.play("2", turn=1)) == game.rules.load(".O..X....")
    assert position(game, ann, desk.play("2", turn=3)) == game.rules.load("OO..X...X")
    assert [kept[0] for kept in desk.kept()] == [1, 1, 3, 3]


def test_the_record_may_hold_takebacks_and_departures(people, now):
    ann, bob, *_ = people
    game = play_on(gather(people, now=now), 2, now=now)
    takebacks.undo_turn(game_id=game.pk, user=bob, now=now)
    endings.resign(game_id=game.pk, user=bob, now=now)
    game = fresh(game)
    entries = list(game.turns.values_list("notation", flat=True))
    assert entries[2:] == ["takeback 1", "withdraw 1"]
    desk = Desk(game, ann, now)
    before = desk.play(some_turn(Game(**vars_of(game, 3))), turn=3)
    assert game.rules.to_move(position(game, ann, before)) != 1
    node = desk.play(some_turn(game), turn=4)
    rules = game.rules
    expected = rules.play_turn(
        rules.load(game.position), rules.parse_turn(rules.load(game.position), node.notation)
    )
    assert position(game, ann, node) == expected


def vars_of(game, turn):
    """Return the columns that `some_turn` needs, of the game after entry `turn`."""
    nodes_position = position_of(game, {}, turn, None)
    return {
        "rules_slug": game.rules_slug,
        "options": game.options,
        "turn_number": turn,
        "position": game.rules.dump(nodes_position),
    }


def test_a_turn_of_several_actions_is_one_step(people, now):
    game = gather(people[:2], now=now, variant="two")
    game = play_on(game, 10, now=now)
    text = some_turn(game)
    assert ", " in text
    desk = Desk(game, people[0], now)
    node = desk.play(text, turn=10)
    assert node.notation == text
    with refused(errors.MoveRefused, "not finished", status=422):
        desk.play(text.split(", ")[0], turn=10)


def test_a_player_of_three_or_four_plays_for_everybody(four, people, now):
    desk = Desk(four, people[2], now)
    position_now, node = four.rules.initial(four.options), None
    for _ in range(5):
        game = Game(
            rules_slug="superpion",
            options=four.options,
            turn_number=0,
            position=four.rules.dump(position_now),
        )
        node = desk.play(some_turn(game), node)
        position_now = position(four, people[2], node)
    assert len(desk.kept()) == 6
    assert four.rules.turn(position_now) == 5


# Notes and deletions -----------------------------------------------------------------------------


def test_a_note_is_written_changed_and_removed(desk):
    node = desk.play("5")
    assert desk.note("  good\r\nidea ", node) == node
    assert desk.kept()[1] == (0, ["5"], "good\nidea")
    desk.note("better", node)
    desk.note("", node)
    assert desk.kept()[1] == (0, ["5"], "")


def test_the_games_own_position_takes_a_note(desk):
    assert desk.note("") is None
    assert desk.kept() == []
    root = desk.note("begin in the middle")
    assert desk.kept() == [(0, [], "begin in the middle")]
    assert desk.note("", root) is None
    assert desk.kept() == []


def test_a_variation_is_deleted_with_all_that_follows(desk):
    five, one = desk.play_line("5", "1")
    desk.play_line("2", "3")
    desk.play("9", one)
    assert desk.delete(one) == five
    assert [line for _, line, _ in desk.kept()] == [[], ["5"], ["2"], ["2", "3"]]


def test_nothing_is_kept_of_a_position_whose_last_variation_is_deleted(desk):
    five = desk.play("5")
    assert desk.delete(five) is None
    assert desk.kept() == []
    noted = desk.note("still here")
    assert desk.delete(desk.play("5")) == noted
    assert desk.kept() == [(0, [], "still here")]
    assert desk.delete(noted) is None
    assert desk.kept() == []


def test_a_long_line_is_deleted_in_few_queries(desk, now, django_assert_max_num_queries):
    root = desk.note("long")
    parent = root
    for number in range(450):
        parent = AnalysisNode.objects.create(
            game=desk.game, user=desk.user, turn=0, parent=parent, notation=str(number),
            created_at=now,
        )  # fmt: skip
    with django_assert_max_num_queries(15):
        desk.delete(root)
    assert desk.kept() == []


# Refusals ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "said"),
    [("5, 1", "over before"), ("z", "is not a cell"), ("", "is not a cell")],
)
def test_the_rules_refuse_a_turn(desk, text, said):
    with refused(errors.MoveRefused, said, status=422) as caught:
        desk.play(text)
    assert caught.value.kind in ("unreadable", IllegalMoveError("").kind)


def test_no_turn_follows_the_end(desk):
    line = desk.play_line("5", "1", "4", "2", "6")
    with refused(errors.MoveRefused, "The game is over.", status=422):
        desk.play("3", line[-1])


def test_a_text_may_be_too_long(desk, monkeypatch):
    with refused(errors.TurnTooLong, "too long", status=413):
        desk.play("5" * 5000)
    monkeypatch.setattr(
        type(desk.game.rules), "format", lambda self, position, action: "5" * LONGEST_NOTATION + "5"
    )
    monkeypatch.setattr(
        type(desk.game.rules), "parse_turn", lambda self, position, text: (4,), raising=False
    )
    with refused(errors.TurnTooLong, "too long", status=413):
        desk.play("5")


@pytest.mark.parametrize("turn", [-1, 1, 10**9])
def test_there_is_no_position_after_turns_that_were_not_played(desk, turn):
    for act in (lambda: desk.play("5", turn=turn), lambda: desk.note("x", turn=turn)):
        with refused(planning_errors.NoSuchPosition, "no such position", status=404):
            act()


def test_another_users_positions_and_another_games_are_not_there(desk, ann, bob, now, game):
    others = Desk(game, bob, now).play("5")
    elsewhere = Desk(begin(ann, bob, now=now), ann, now).play("5")
    for node in (others, elsewhere, AnalysisNode(pk=10**12)):
        for act in (lambda: desk.play("1", node), lambda: desk.note("x", node)):  # noqa: B023
            with refused(planning_errors.NoSuchPosition, "no such position", status=404):
                act()
        with refused(planning_errors.NoSuchPosition, "no such position", status=404):
            desk.delete(node)


def test_an_analysis_has_so_many_positions(desk, monkeypatch):
    monkeypatch.setattr(analysis, "MOST_POSITIONS", 3)
    five = desk.play("5")
    desk.play("1", five)
    for act in (lambda: desk.play("2", five), lambda: desk.play("2")):
        with refused(planning_errors.AnalysisFull, "has 3 positions", status=409):
            act()
    with unchanged():
        assert desk.play("5") == five
    desk.note("written all the same", five)


def test_a_first_turn_needs_room_for_its_root_too(desk, monkeypatch):
    monkeypatch.setattr(analysis, "MOST_POSITIONS", 1)
    with refused(planning_errors.AnalysisFull, "has 1 positions", status=409):
        desk.play("5")
    desk.note("room for one")
    play_all(desk.game, ["5"], now=desk.now)
    with refused(planning_errors.AnalysisFull, "has 1 positions", status=409):
        desk.note("but not for two", turn=1)


def test_a_note_has_so_many_characters(desk):
    node = desk.play("5")
    desk.note("x" * LONGEST_NOTE, node)
    with refused(
        planning_errors.NoteTooLong, "at most 2000 characters. This one has 2001.", status=422
    ):
        desk.note("x" * (LONGEST_NOTE + 1), node)


def every_act(desk, node):
    return [
        lambda: desk.play("5"),
        lambda: desk.note("x"),
        lambda: desk.delete(node),
        desk.share,
        desk.stop,
    ]


def test_others_analyse_a_game_when_it_is_over(desk, game, ann, cat, now):
    node, stranger = desk.play("5"), Desk(game, cat, now)
    for act in every_act(stranger, node):
        with refused(planning_errors.AnalysisForPlayers, "when they are over", status=403):
            act()
    endings.resign(game_id=game.pk, user=ann, now=now)
    assert stranger.play("5") != node
    assert stranger.kept() == [(0, [], ""), (0, ["5"], "")]


def test_a_private_game_is_not_there_for_others(ann, bob, cat, mo, now):
    game = begin(ann, bob, now=now, is_public=False)
    node = Desk(game, ann, now).play("5")
    for over in (False, True):
        if over:
            endings.resign(game_id=game.pk, user=ann, now=now)
        for person in (cat, mo):
            for act in every_act(Desk(game, person, now), node):
                with refused(errors.NoSuchGame, "no such game", status=404):
                    act()


def test_guests_analyse_only_their_own_games(game, ann, bob, now):
    guest = create_guest(language="en", now=now)
    endings.resign(game_id=game.pk, user=ann, now=now)
    with refused(planning_errors.GuestsDoNotAnalyse, "Sign up first", status=403):
        Desk(game, guest, now).play("5")
    own = begin(ann, bob, now=now)
    own.seats.filter(user=bob).update(user=guest)
    assert Desk(own, guest, now).play("5").notation == "5"


def test_a_table_that_has_not_begun_cannot_be_analysed(ann, now):
    waiting = table(ann, now=now)
    with refused(errors.NoSuchGame, "no such game", status=404):
        Desk(waiting, ann, now).play("5")


def test_a_game_that_a_moderator_pauses_can_be_analysed(desk, mo, game, now):
    pause_game(game_id=game.pk, by=mo, why="a look", now=now)
    assert desk.play("5").notation == "5"


def test_nobody_writes_in_maintenance_or_after_closing_their_account(desk, ann, now):
    node = desk.play("5")
    closing = Outage.objects.create(kind=Outage.Kind.MAINTENANCE, began_at=now, noted_at=now)
    for act in every_act(desk, node):
        with refused(errors.ClosedForMaintenance, "closed for maintenance", status=503):
            act()
    closing.delete()
    ann.is_active = False
    for act in every_act(desk, node):
        with refused(errors.AccountClosed, "Your account is closed", status=403):
            act()


def test_nothing_is_shared_before_the_end_or_without_an_analysis(desk, game, ann, bob, now):
    desk.play("5")
    with refused(planning_errors.SharedTooEarly, "when the game is over", status=409):
        desk.share()
    endings.resign(game_id=game.pk, user=ann, now=now)
    with refused(planning_errors.NothingToShare, "not analysed", status=409):
        Desk(game, bob, now).share()


# Who reads it ------------------------------------------------------------------------------------


def readers_of(game):
    return [one.user.username for one in shared_analyses(fresh(game))]


def test_an_analysis_is_shared_and_no_longer(desk, game, ann, now):
    desk.play("5")
    endings.resign(game_id=game.pk, user=ann, now=now)
    assert readers_of(game) == []
    desk.share()
    desk.share()
    assert readers_of(game) == ["ann"]
    desk.stop()
    desk.stop()
    assert readers_of(game) == []


def test_an_analysis_without_positions_is_not_shared(desk, game, ann, now):
    node = desk.play("5")
    endings.resign(game_id=game.pk, user=ann, now=now)
    desk.share()
    desk.delete(node)
    assert not SharedAnalysis.objects.exists()


def test_a_reopened_game_ends_sharing_for_good(desk, game, ann, cat, mo, now):
    ended = fresh(game).deadline + SECOND
    time_out_due(now=ended)
    who = Desk(game, ann, ended)
    who.play("5")
    who.share()
    assert readers_of(game) == ["ann"]
    strangers = Desk(game, cat, ended).play("5")
    reopen_game(game_id=game.pk, by=mo, why="so", now=ended + SECOND)
    assert readers_of(game) == []
    with refused(planning_errors.AnalysisForPlayers, "when they are over", status=403):
        Desk(game, cat, ended).delete(strangers)
    endings.resign(game_id=game.pk, user=ann, now=ended + DAY)
    assert readers_of(game) == []
    assert not game_for(game.pk, cat).has_shared_analyses
    Desk(game, ann, ended + DAY).share()
    assert readers_of(game) == ["ann"]
    assert game_for(game.pk, cat).has_shared_analyses


def test_what_a_closed_account_shared_is_not_shown(desk, game, ann, now):
    desk.play("5")
    endings.resign(game_id=game.pk, user=ann, now=now)
    desk.share()
    ann.is_active = False
    ann.save()
    assert readers_of(game) == []


def test_an_analysis_makes_no_event_and_no_mail_and_is_not_in_the_admin(desk, game, ann, now):
    before = Event.objects.count()
    node = desk.play("5")
    desk.note(SECRET, node)
    assert Event.objects.count() == before
    assert Game in admin.site._registry
    assert admin.site._registry.keys().isdisjoint({AnalysisNode, SharedAnalysis})
    play(game, ann, "5", now=now)
    endings.resign(game_id=game.pk, user=ann, now=now)
    make_notices(now=now)
    mails = [compose(notice, now=now) for notice in Notice.objects.filter(game=game)]
    texts = [mail.message().as_string() for mail in mails if mail is not None]
    assert len(texts) > 1
    assert not [text for text in texts if SECRET in text]
