"""A teacher judges turns of games that are over and of lessons, and of no running game."""

import re
from datetime import timedelta
from html import unescape

import pytest
from django.urls import URLPattern, reverse
from django.utils import timezone

from accounts.models import User
from games import errors
from games.clock.time_control import per_turn
from games.models import Game, Judgement, Terms, Turn
from games.queries.lessons import judgements_of, may_be_judged, words_of_judgement
from games.rules.registry import program_for
from games.services import thinking
from games.services.ending_undo import undo_end
from games.services.endings import resign
from games.services.invitations import Opponent, propose
from games.services.judging import judge_due
from games.services.lessons import ask_teacher, play_again
from games.services.thinking import play_for_bots
from games.services.thinking_time import charge, next_day, seconds_left
from games.urls import urlpatterns
from tests.games.play import DAY, SECOND, begin, fresh, play, play_all, refused, unchanged

PAGES = [one for one in urlpatterns if isinstance(one, URLPattern)]

pytestmark = pytest.mark.django_db

LINE = ["1", "2", "5", "9", "4", "6", "7"]
"""Morpion: X wins with 1, 4, 7, after O (2) gave the draw away."""


@pytest.fixture
def over(ann, bob, now):
    return play_all(begin(ann, bob, now=now), LINE, now=now)


def lesson_of(ann, *, now, level=1, slug="morpion", seat=0):
    return propose(
        creator=ann,
        rules_slug=slug,
        options={},
        terms=Terms(per_turn(3 * DAY)),
        opponent=Opponent("partner", level=level),
        is_public=False,
        creator_seat=seat,
        is_lesson=True,
        now=now,
    )


def judged(game):
    return {one.number: one for one in Judgement.objects.filter(game=game)}


# Games that are over -----------------------------------------------------------------------------


def test_every_turn_is_judged_as_the_program_judges_it(over, ann, now):
    ask_teacher(game_id=over.pk, user=ann, now=now)
    assert judge_due(now=now) == len(LINE)
    rules, position = over.rules, over.rules.initial(over.options)
    program = program_for("morpion")
    for number, text in enumerate(LINE, start=1):
        actions = rules.parse_turn(position, text)
        said, opinion = judged(over)[number], program.judge_turn(position, actions)
        assert (said.kept, said.best) == (opinion.kept, opinion.best)
        assert (said.holding, said.choices) == (opinion.holding, opinion.choices)
        assert (said.value_before, said.value_after) == (opinion.before.value, opinion.after.value)
        assert said.distance_after == opinion.after.distance
        position = rules.play_turn(position, actions)
    after = fresh(over)
    assert (after.judged_turns, after.judge_due_at) == (len(LINE), None)


def test_the_losing_turn_of_morpion_is_named(over, ann, now):
    ask_teacher(game_id=over.pk, user=ann, now=now)
    judge_due(now=now)
    said = {
        number: words_of_judgement(one) for number, one in judgements_of(fresh(over), ann).items()
    }
    # An edge beside the corner loses, as everybody knows; only the centre holds.
    assert (
        "It lost a drawn game. “5” kept the draw. Only one of the 8 possible turns kept the result."
        in said[2]
    )
    assert said[len(LINE)].startswith("It won.")


def test_asking_twice_judges_once(over, ann, bob, now):
    ask_teacher(game_id=over.pk, user=ann, now=now)
    judge_due(now=now)
    with unchanged():
        ask_teacher(game_id=over.pk, user=bob, now=now)
        assert judge_due(now=now) == 0


def test_only_players_ask_and_only_when_the_game_is_over(game, over, ann, cat, now):
    said = "A teacher judges turns when the game is over"
    with refused(errors.NoTeacherYet, said, status=409):
        ask_teacher(game_id=game.pk, user=ann, now=now)
    with refused(errors.NotAPlayer, "You do not play in this game.", status=403):
        ask_teacher(game_id=over.pk, user=cat, now=now)


def test_a_worker_that_stops_goes_on_with_the_next_turn_later(over, ann, now, monkeypatch):
    ask_teacher(game_id=over.pk, user=ann, now=now)
    program = program_for("morpion")
    judge_turn, seen = program.judge_turn, []

    def judge(position, actions, is_stopped):
        seen.append(1)
        if len(seen) == 3:
            thinking.stopping.set()
        return judge_turn(position, actions)

    monkeypatch.setattr(program, "judge_turn", judge)
    try:
        judge_due(now=now)
    finally:
        thinking.stopping.clear()
    assert sorted(judged(over)) == [1, 2]
    assert fresh(over).judge_due_at == now  # given back at once
    assert judge_due(now=now) == len(LINE) - 2
    assert sorted(judged(over)) == list(range(1, len(LINE) + 1))


def test_judging_waits_for_a_new_day_when_the_time_of_who_asked_is_used_up(over, ann, now):
    ask_teacher(game_id=over.pk, user=ann, now=now)
    charge([ann], 3600.0, now=now)
    assert judge_due(now=now) == 0
    assert fresh(over).judge_due_at > now + timedelta(hours=1)
    assert judge_due(now=now + DAY) == len(LINE)


def test_only_who_asked_pays_for_the_answer(over, ann, bob, now):
    before = {one: seconds_left(one, now=now) for one in (ann, bob)}
    ask_teacher(game_id=over.pk, user=ann, now=now)
    assert judge_due(now=now) == len(LINE)
    assert seconds_left(ann, now=now) < before[ann]
    assert seconds_left(bob, now=now) == before[bob]


def test_who_asked_is_forgotten_when_all_is_judged(over, ann, now):
    ask_teacher(game_id=over.pk, user=ann, now=now)
    assert fresh(over).judge_asked_by == ann
    judge_due(now=now)
    assert fresh(over).judge_asked_by is None


def test_another_player_gives_their_time_when_that_of_who_asked_is_used_up(over, ann, bob, now):
    ask_teacher(game_id=over.pk, user=ann, now=now)
    charge([ann], 3600.0, now=now)
    assert judge_due(now=now) == 0
    with unchanged():
        ask_teacher(game_id=over.pk, user=ann, now=now)
        assert judge_due(now=now) == 0
    ask_teacher(game_id=over.pk, user=bob, now=now)
    assert judge_due(now=now) == len(LINE)


def test_the_owner_of_a_program_pays_for_what_it_asks(over, ann, bob, now):
    User.objects.filter(pk=ann.pk).update(owner=bob, is_bot=True)
    before = seconds_left(bob, now=now)
    ask_teacher(game_id=over.pk, user=User.objects.get(pk=ann.pk), now=now)
    assert judge_due(now=now) == len(LINE)
    assert seconds_left(bob, now=now) < before


@pytest.fixture
def resigned(ann, bob, now):
    """A game that ann has just resigned, and could still go on with."""
    game = play_all(begin(ann, bob, now=now), ["1", "2"], now=now)
    resign(game_id=game.pk, user=ann, now=now)
    assert fresh(game).may_undo(ann.pk, now=now + SECOND)
    return game


def test_who_has_resigned_and_asks_the_teacher_cannot_play_on(resigned, ann, now):
    ask_teacher(game_id=resigned.pk, user=ann, now=now)
    with pytest.raises(errors.EndIsFinal):
        undo_end(game_id=resigned.pk, user=ann, now=now + SECOND)


def test_who_has_resigned_and_plays_on_against_a_program_cannot_go_back(
    resigned, ann, cat, partner, now
):
    play_again(game=fresh(resigned), turn=1, user=cat, level=5, now=now)
    with pytest.raises(errors.EndIsFinal):
        undo_end(game_id=resigned.pk, user=ann, now=now + SECOND)


def test_the_page_says_when_a_teacher_goes_on_who_waits_for_a_new_day(client, over, ann, bob):
    now = timezone.now()
    charge([ann], 3600, now=now)
    ask_teacher(game_id=over.pk, user=ann, now=now)
    judge_due(now=now)
    client.force_login(ann)
    page = client.get(over.get_absolute_url()).content.decode()
    assert "The thinking time of today is used up. The teacher goes on after" in page
    assert "still looking" not in page
    assert "it can go on now" not in page
    client.force_login(bob)
    page = client.get(over.get_absolute_url()).content.decode()
    assert "Avec votre temps de réflexion, il peut continuer" in page
    assert reverse("game_ask_teacher", args=[over.pk]) in page


def test_who_has_used_up_their_own_time_in_a_lesson_is_offered_nothing(client, over, ann):
    tomorrow = next_day(timezone.now())
    Game.objects.filter(pk=over.pk).update(is_lesson=True, judge_due_at=tomorrow)
    client.force_login(ann)
    page = client.get(over.get_absolute_url()).content.decode()
    assert "The thinking time of today is used up." in page
    assert "it can go on now" not in page


def test_who_asked_is_forgotten_when_the_game_goes_on(game, ann, now):
    Game.objects.filter(pk=game.pk).update(judge_due_at=now, judge_asked_by=ann)
    assert judge_due(now=now) == 0
    assert (fresh(game).judge_due_at, fresh(game).judge_asked_by) == (None, None)


def test_what_was_judged_is_hidden_again_when_a_moderator_reopens_the_game(over, ann, now):
    ask_teacher(game_id=over.pk, user=ann, now=now)
    judge_due(now=now)
    over = fresh(over)
    assert judgements_of(over, ann)
    over.status = Game.Status.ACTIVE
    assert not may_be_judged(over)
    assert judgements_of(over, ann) == {}


# Lessons -----------------------------------------------------------------------------------------


def test_in_a_lesson_each_turn_is_judged_as_it_is_played(ann, partner, now):
    game = lesson_of(ann, now=now)
    play(game, ann, "1", now=now)
    assert judge_due(now=now) == 1
    play_for_bots(now=now)
    assert judge_due(now=now) == 1
    assert sorted(judged(game)) == [1, 2]
    assert set(judgements_of(fresh(game), ann)) == {1, 2}


def test_a_lesson_is_against_programs_alone(ann, bob, now):
    with refused(errors.NoLessonWithPeople, "Lessons are against programs.", status=422):
        propose(
            creator=ann,
            rules_slug="morpion",
            options={},
            terms=Terms(per_turn(3 * DAY)),
            opponent=Opponent("player", "bob"),
            is_public=True,
            creator_seat=0,
            is_lesson=True,
            now=now,
        )


def test_a_lesson_with_a_second_person_is_judged_no_more(ann, bob, partner, now):
    game = lesson_of(ann, now=now)
    game.seats.filter(user=partner).update(user=bob, level=None)
    play(game, ann, "1", now=now)
    assert judge_due(now=now) == 0
    assert not judged(game)


# Again from here ---------------------------------------------------------------------------------


def test_a_lesson_begins_in_a_position_of_another_game(over, ann, partner, now):
    lesson = play_again(game=over, turn=3, user=ann, level=2, now=now)
    assert lesson.is_lesson
    assert [turn.notation for turn in lesson.turns.order_by("number")] == LINE[:3]
    assert set(lesson.turns.values_list("via", flat=True)) == {Turn.Via.COPIED}
    # O was to move there: ann plays it.
    assert lesson.seats.get(number=1).user == ann
    assert lesson.seats.get(number=0).level == 2
    play(lesson, ann, "7", now=now)
    assert play_for_bots(now=now) == 1


@pytest.mark.parametrize("turn", [len(LINE), 99])
def test_there_is_no_lesson_after_the_end(over, ann, partner, now, turn):
    with refused(errors.NothingToPlayThere, "The game is over in this position.", status=409):
        play_again(game=over, turn=turn, user=ann, level=1, now=now)


def test_a_running_game_is_not_played_again(game, ann, partner, now):
    play(game, ann, "1", now=now)
    with refused(errors.NoTeacherYet, "A teacher judges turns when", status=409):
        play_again(game=game, turn=1, user=ann, level=1, now=now)


# Pages -------------------------------------------------------------------------------------------


def test_the_page_says_what_the_teacher_said(client, over, ann):
    now = timezone.now()
    client.force_login(ann)
    page = client.get(over.get_absolute_url()).content.decode()
    assert "Ask a teacher about the turns" in page
    client.post(reverse("game_ask_teacher", args=[over.pk]))
    assert judge_due(now=now + DAY) == len(LINE)
    page = client.get(reverse("game_turn", args=[over.pk, 2])).content.decode()
    assert '<p class="lesson-shown">It lost a drawn game. “5” kept the draw.' in page
    assert re.search(r"Good turns: \d of 7", page)
    words = client.get(reverse("game_replay", args=[over.pk])).json()["words"]
    assert "It lost a drawn game. “5” kept the draw." in words[2]


def test_a_lesson_begins_from_the_page(client, over, ann, partner):
    client.force_login(ann)
    sent = {"turn": "2", "level": "3"}
    answer = client.post(reverse("game_play_again", args=[over.pk]), sent)
    lesson = Game.objects.latest("pk")
    assert answer.url == lesson.get_absolute_url()
    assert "In this lesson each turn is judged" in client.get(answer.url).content.decode()


def again_from(client, address):
    """Return the turn that the form “Again from here” names, and the last one that it allows."""
    field = re.search(r'<input id="again-turn".*?>', client.get(address).content.decode(), re.S)[0]
    return tuple(int(re.search(rf'{name}="(\d+)"', field)[1]) for name in ("value", "max"))


def test_what_is_offered_to_be_played_again_can_be_played(client, over, ann, bob, partner):
    client.force_login(ann)
    end = over.get_absolute_url()
    assert again_from(client, end) == (6, 6)  # the seventh turn won
    assert again_from(client, f"{end}turns/3/") == (3, 6)
    now = timezone.now()
    game = play_all(begin(ann, bob, now=now), LINE[:2], now=now)
    resign(game_id=game.pk, user=ann, now=now)
    assert again_from(client, game.get_absolute_url()) == (2, 2)
    for one in (over, game):
        turn, _ = again_from(client, one.get_absolute_url())
        lesson = play_again(game=one, turn=turn, user=ann, level=1, now=now)
        assert lesson.turn_number == turn


def test_an_open_page_of_a_lesson_hears_of_a_judgement(client, ann, partner):
    now = timezone.now()
    game = lesson_of(ann, now=now)
    play(game, ann, "1", now=now)
    client.force_login(ann)
    page = client.get(game.get_absolute_url()).content.decode()
    news = unescape(re.search(r'data-news-url="([^"]+)"', page)[1])
    assert client.get(news, headers={"HX-Request": "true"}).content == b""
    assert judge_due(now=now + DAY) == 1
    heard = client.get(news, headers={"HX-Request": "true"}).content.decode()
    assert '<p class="lesson-shown">It kept the draw.' in heard


def test_the_form_of_a_new_game_makes_a_lesson(client, ann, partner):
    client.force_login(ann)
    sent = {"game": "morpion", "whom": "partner", "days": "3", "creator_seat": "", "level": "1"}
    client.post(reverse("new_table"), sent | {"is_lesson": "on"})
    assert Game.objects.get().is_lesson
    answer = client.post(reverse("new_table"), sent | {"is_lesson": "on", "whom": "anybody"})
    assert answer.status_code == 422


# Nobody is helped in a running game between people -----------------------------------------------

SECRET = "SECRET-OF-THE-TEACHER"


@pytest.fixture
def leaking(game, ann, bob, now):
    """Return a running game with judgements that must not be there, as after a moderator's act."""
    play_all(game, ["1", "2"], now=now)
    Judgement.objects.create(
        game=game, number=2, kept=False, best=SECRET, is_exact=True, value_before=0.0,
        value_after=-1.0, holding=1, choices=8,
    )  # fmt: skip
    Game.objects.filter(pk=game.pk).update(judged_turns=2, judge_due_at=now)
    return fresh(game)


def test_no_page_of_a_running_game_tells_what_a_teacher_said(client, leaking, ann, bob, moderator):
    names = [
        pattern.name for pattern in PAGES if str(pattern.pattern).startswith("games/<int:pk>/")
    ]
    assert {"game", "game_turn", "game_replay", "analysis", "download_record"} <= set(names)
    for viewer in (None, ann, bob, moderator):
        client.logout()
        if viewer is not None:
            client.force_login(viewer)
        for name in names:
            blanks = {"pk": leaking.pk, "number": 2, "kind": "svg", "shape": "square", "node": 1}
            (pattern,) = (one.pattern for one in PAGES if one.name == name)
            address = reverse(name, kwargs={key: blanks[key] for key in pattern.converters})
            for query in ("", "?turn=2", "?shows=&board="):
                answer = client.get(address + query)
                body = b"".join(answer.streaming_content) if answer.streaming else answer.content
                assert SECRET.encode() not in body, (name, query)
                assert b"lesson-shown" not in body, (name, query)


def test_a_post_to_the_teacher_of_a_running_game_is_refused(client, leaking, ann, partner):
    client.force_login(ann)
    for name, sent in (("game_ask_teacher", {}), ("game_play_again", {"turn": "1"})):
        answer = client.post(reverse(name, args=[leaking.pk]), sent)
        assert answer.status_code == 409, name
    assert Game.objects.count() == 1


def test_the_queue_drops_a_running_game(leaking, now):
    assert judge_due(now=now) == 0
    assert fresh(leaking).judge_due_at is None
    assert Judgement.objects.count() == 1


@pytest.mark.parametrize(
    ("kept", "before", "after", "words"),
    [
        (True, (1.0, 1), (1.0, 0), "It won."),
        (True, (1.0, 4), (1.0, 3), "It kept the win: 3 turns more with best play."),
        (True, (1.0, None), (1.0, None), "It kept the win."),
        (True, (-1.0, 3), (-1.0, 2), "The game was lost already: 2 turns more with best play."),
        (True, (-1.0, None), (-1.0, None), "The game was lost already."),
        (False, (1.0, 3), (-1.0, 4), "It turned a won game into a lost one. “5” won in 3 turns."),
        (False, (1.0, None), (-1.0, 0), "It turned a won game into a lost one. “5” won."),
        (
            False,
            (1.0, None),
            (0.0, None),
            "It gave the win away: a draw with best play. “5” won.",
        ),
    ],
)
def test_turns_are_counted_only_where_the_program_counts_them(kept, before, after, words):
    judgement = Judgement(
        kept=kept,
        best="5",
        is_exact=True,
        value_before=before[0],
        distance_before=before[1],
        value_after=after[0],
        distance_after=after[1],
    )
    assert words_of_judgement(judgement) == words


def test_a_turn_that_the_game_does_not_have_is_no_place_to_begin(client, over, ann):
    client.force_login(ann)
    page = client.post(reverse("game_play_again", args=[over.pk]), {"turn": "99", "level": "1"})
    assert page.status_code == 422
    assert f"Choose a turn from 0 to {len(LINE)}." in page.content.decode()
