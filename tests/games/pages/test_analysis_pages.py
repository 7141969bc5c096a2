"""The pages of the analysis board, without scripts: what they show, to whom, and what they cost."""

import re
from html import unescape

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from games.models import AnalysisNode, PlannedTurn
from games.services import analysis
from games.services.endings import resign
from tests.games.browsing import assert_refused, html_of, post
from tests.games.multiplayer import gather, play_on, some_turn
from tests.games.play import begin, database, fresh, play_all, unchanged

pytestmark = pytest.mark.django_db

QUERIES = 9
"""The most queries of a page of the analysis board, whatever is kept and wherever it begins."""

SECRET = "a quince on the rim"


def board_at(game, turn):
    return f"{reverse('analysis', args=[game.pk])}?turn={turn}"


def page_of(node):
    return reverse("analysis_node", args=[node.game_id, node.pk])


def add(client, game, text, *, root=0, node=None, **more):
    sent = {"root": root, "node": node.pk if node else "", "text": text}
    return post(client, "analysis_play", game.pk, **sent, **more)


def added(client, game, *texts, root=0):
    """Add a line through the page; return its nodes."""
    nodes = []
    for text in texts:
        answer = add(client, game, text, root=root, node=nodes[-1] if nodes else None)
        assert answer.status_code == 302
        nodes.append(
            AnalysisNode.objects.get(pk=re.search(r"analysis/(\d+)/", answer["Location"])[1])
        )
    return nodes


def tree_of(html):
    return html.partition('class="analysis-tree">')[2].partition("</div>")[0]


def plain(html):
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split())


def test_a_line_is_played_step_by_step_without_scripts(as_ann, game):
    answer = add(as_ann, game, "5")
    node = AnalysisNode.objects.get(notation="5")
    assert answer["Location"] == page_of(node)
    html = html_of(as_ann, page_of(node))
    assert "Variation from the start" in html
    assert "ann plays in the centre." in plain(html)
    assert "To play: bob." in plain(html)
    assert "Only you see this analysis." in html
    assert 'data-square="5" data-x' in html
    one = add(as_ann, game, "", node=node, choice="1")
    assert one.status_code == 302
    assert "To play: ann." in plain(html_of(as_ann, one["Location"]))
    assert fresh(game).turn_number == 0


def test_the_tree_tells_each_turn_in_words_and_marks_the_one_shown(as_ann, game):
    five, one, four = added(as_ann, game, "5", "1", "4")
    add(as_ann, game, "2", node=five)
    analysis.write_note(
        game_id=game.pk,
        user=five.user,
        turn=0,
        node_id=one.pk,
        text="<b>hm</b>",
        now=timezone.now(),
    )
    html = html_of(as_ann, page_of(one))
    tree = tree_of(html)
    assert plain(tree) == "1. 5 2. 1 ✎ with a note 2. 2 3. 4"
    assert 'title="Ann plays in the centre."' in tree
    assert 'title="Bob plays in the top left corner."' in tree
    marked = re.findall(r'href="([^"]+)"[^>]*aria-current="true"', tree)
    assert marked == [page_of(one)]
    assert tree.count("<ul") == tree.count("</ul>") == 1
    assert tree.count("<ol") == tree.count("</ol>") == 2
    assert tree.count("<li") == tree.count("</li>") == 5
    assert "&lt;b&gt;hm&lt;/b&gt;" in html
    assert "<b>hm" not in html
    assert page_of(four) in tree


def test_lines_that_are_nested_very_deeply_are_drawn(as_ann, ann, bob):
    """Each position has two continuations, and the second goes on."""
    game = begin(ann, bob, now=timezone.now(), slug="super-morpion")
    position, parent = game.rules.initial(game.options), None
    for _ in range(60):
        legal = [game.rules.format(position, a) for a in game.rules.legal_actions(position)][:2]
        if len(legal) < 2:
            break
        _main, parent = (
            analysis.play_variation(
                game_id=game.pk, user=ann, turn=0, text=text,
                parent_id=parent.pk if parent else None, now=timezone.now(),
            )
            for text in legal
        )  # fmt: skip
        position = game.rules.play(position, game.rules.parse(position, legal[1]))
    assert AnalysisNode.objects.count() > 60
    tree = tree_of(html_of(as_ann, page_of(parent)))
    assert tree.count("<ul") == tree.count("</ul>") > 30
    assert tree.count("<li") == tree.count("</li>")


def test_steps_lead_along_the_line(as_ann, game):
    five, one = added(as_ann, game, "5", "1")

    def steps(path):
        nav = html_of(as_ann, path).partition('<nav class="turn-steps"')[2].partition("</nav>")[0]
        return re.findall(r'href="([^"]+)"\s+aria-disabled="(\w+)"', nav)

    root = page_of(AnalysisNode.objects.get(notation=""))
    assert steps(root) == [(root, "true"), (root, "true"), (page_of(five), "false")]
    assert steps(page_of(five)) == [(root, "false"), (root, "false"), (page_of(one), "false")]
    assert steps(page_of(one)) == [
        (root, "false"),
        (page_of(five), "false"),
        (page_of(one), "true"),
    ]


def test_any_position_of_the_record_is_a_beginning(as_ann, game):
    play_all(game, ["5", "1", "9"], now=timezone.now())
    html = html_of(as_ann, reverse("analysis", args=[game.pk]))
    assert "After turn 3" in html
    assert "ann plays in the bottom right corner." in plain(html)
    html = html_of(as_ann, board_at(game, 1))
    assert "To play: bob." in plain(html)
    assert f'href="{game.get_absolute_url()}turns/1/"' in html
    added(as_ann, game, "2", root=1)
    assert "After turn 1" in plain(html_of(as_ann, board_at(game, 3)))
    assert "The start of the game" in html_of(as_ann, board_at(game, 0))
    for wrong in ("4", "-1", "x", "9" * 30):
        assert as_ann.get(board_at(game, wrong)).status_code == 404


def test_a_refused_turn_stays_in_the_field(as_ann, game):
    node = added(as_ann, game, "5")[0]
    before = database()
    answer = add(as_ann, game, "5", node=node)
    assert_refused(answer, 422, "Cell 5 is taken.")
    html = answer.content.decode()
    assert 'value="5"' in html
    assert "Possible here:" in html
    assert database() == before


@pytest.mark.parametrize("sent", [{"root": "x"}, {"root": ""}, {"root": 1}, {"node": "7" * 18}])
def test_a_position_that_is_not_there_is_404(as_ann, game, sent):
    for name in ("analysis_play", "analysis_note"):
        with unchanged():
            answer = post(as_ann, name, game.pk, **({"root": 0, "text": "5"} | sent))
        assert_refused(answer, 404, "There is no such position.")


def test_a_turn_of_several_actions_is_previewed_and_continued(as_ann, people):
    now = timezone.now()
    game = play_on(gather(people[:2], now=now, variant="two"), 10, now=now)
    actions = some_turn(game).split(", ")
    assert len(actions) > 1
    answer = add(as_ann, game, actions[0], root=10, step="preview")
    html = answer.content.decode()
    assert answer.status_code == 200
    assert "Choose what comes next." in html
    assert f'value="{actions[0]}, {actions[1]}' in html
    whole = add(as_ann, game, ", ".join(actions), root=10, step="preview").content.decode()
    assert "This is the board after the turn, which" in whole
    assert not AnalysisNode.objects.exists()
    assert add(as_ann, game, ", ".join(actions), root=10).status_code == 302


def test_the_page_module_is_answered(as_ann, game):
    node = added(as_ann, game, "5")[0]
    preview = reverse("analysis_preview", args=[game.pk])
    answer = as_ann.get(preview, {"root": 0, "node": node.pk, "turn": "1", "expected_turn": ""})
    assert answer.json()["notation"] == "1"
    assert answer.json()["complete"] is True
    refused = as_ann.get(preview, {"root": 0, "node": node.pk, "turn": "5"})
    assert (refused.status_code, refused.json()) == (422, {"error": "Cell 5 is taken."})
    assert as_ann.get(preview, {"root": 1, "turn": "5"}).status_code == 404


def test_what_is_legal_is_hidden_where_finding_it_is_the_game(as_ann, ann, bob):
    now = timezone.now()
    game = play_on(begin(ann, bob, now=now, slug="morpiae"), 2, now=now)
    html = html_of(as_ann, board_at(game, 2))
    position = game.rules.load(game.position)
    squares = {
        game.rules.format(position, action): game.rules.squares(position, action)
        for action in game.rules.legal_actions(position)
    }
    lines = {text for text, clicked in squares.items() if clicked}
    assert lines
    assert not [line for line in lines if line in html]
    line = min(lines)
    preview = reverse("analysis_preview", args=[game.pk])
    answer = as_ann.get(preview, {"root": 2, "square": squares[line][0]}).json()
    assert line in [one["text"] for one in answer["actions"]]
    after = as_ann.get(preview, {"root": 2, "square": squares[line][0], "turn": line}).json()
    assert after == {"actions": []}


def test_a_note_is_saved_by_the_form_and_by_the_page_itself(as_ann, game):
    node = added(as_ann, game, "5")[0]
    sent = {"root": 0, "node": node.pk, "note": SECRET}
    answer = post(as_ann, "analysis_note", game.pk, **sent)
    assert answer["Location"] == page_of(node)
    html = html_of(as_ann, page_of(node))
    assert "Your note is saved." in html
    assert f">{SECRET}</textarea>" in html
    path = reverse("analysis_note", args=[game.pk])
    part = as_ann.post(path, sent | {"note": "other"}, headers={"HX-Request": "true"})
    assert part.status_code == 200
    assert "<textarea" not in part.content.decode()
    assert AnalysisNode.objects.get(pk=node.pk).note == "other"


def test_a_variation_is_deleted_by_its_button(as_ann, game):
    five, one = added(as_ann, game, "5", "1")
    answer = post(as_ann, "analysis_delete", game.pk, one.pk)
    assert answer["Location"] == page_of(five)
    answer = post(as_ann, "analysis_delete", game.pk, five.pk)
    assert answer["Location"] == board_at(game, 0)
    assert "None yet." in html_of(as_ann, answer["Location"])


# Who sees it -------------------------------------------------------------------------------------


def read(client, person, path):
    client.logout()
    if person is not None:
        client.force_login(person)
    return client.get(path)


def test_others_read_an_analysis_only_while_it_is_shared(client, game, ann, bob, cat, moderator):
    User.objects.update(language="en")
    client.force_login(ann)
    five, one = added(client, game, "5", "1")
    who = {"game_id": game.pk, "user": ann, "now": timezone.now()}
    analysis.write_note(turn=0, node_id=one.pk, text=SECRET, **who)
    everybody = (None, bob, cat, moderator)
    missing = reverse("analysis_node", args=[game.pk, one.pk + 1000])

    def nobody_reads():
        for person in everybody:
            answer = read(client, person, page_of(one))
            none = read(client, person, missing)
            assert (answer.status_code, none.status_code) == (404, 404)
            assert "There is no such position." in answer.content.decode()
            listed = read(client, person, reverse("analyses_shared", args=[game.pk]))
            assert "Nobody shares an analysis" in listed.content.decode()
            page = read(client, person, game.get_absolute_url()).content.decode()
            assert "Shared analyses" not in page

    nobody_reads()
    resign(game_id=game.pk, user=bob, now=timezone.now())
    nobody_reads()
    client.force_login(ann)
    assert post(client, "analysis_share", game.pk, do="share", root=0).status_code == 302
    for person in everybody:
        html = read(client, person, page_of(one)).content.decode()
        assert SECRET in html
        assert "ann shares this analysis." in plain(html)
        assert page_of(five) in tree_of(html)
        assert "data-board-form" not in html
        assert "<textarea" not in html
        listed = read(client, person, reverse("analyses_shared", args=[game.pk])).content.decode()
        assert page_of(AnalysisNode.objects.get(notation="")) in listed
        assert "Shared analyses" in read(client, person, game.get_absolute_url()).content.decode()
    assert "You share this analysis" in read(client, ann, page_of(one)).content.decode()
    client.force_login(ann)
    post(client, "analysis_share", game.pk, do="stop", root=0)
    nobody_reads()


def test_a_players_own_analysis_is_not_anothers(client, game, ann, bob):
    client.force_login(ann)
    five = added(client, game, "5")[0]
    answer = read(client, bob, board_at(game, 0)).content.decode()
    assert "analysis-tree" not in answer
    assert page_of(five) not in answer


def test_the_link_is_there_for_whoever_may_analyse(client, game, ann, bob, cat):
    def links(person, path):
        html = read(client, person, path).content.decode()
        return re.findall(r'href="([^"]+)"\s+rel="nofollow"\s+data-analysis-link', html)

    play_all(game, ["5", "1"], now=timezone.now())
    page, earlier = game.get_absolute_url(), reverse("game_turn", args=[game.pk, 1])
    assert links(ann, page) == [board_at(game, 2)]
    assert links(ann, earlier) == [board_at(game, 1)]
    assert links(cat, page) == links(None, page) == []
    resign(game_id=game.pk, user=bob, now=timezone.now())
    assert links(cat, earlier) == [board_at(game, 1)]
    assert links(None, page) == []


def test_the_opponents_turn_can_no_longer_be_undone_when_it_is_analysed(client, ann, bob, game):
    play_all(game, ["5"], now=timezone.now())
    assert fresh(game).undo_until is not None
    client.force_login(bob)
    add(client, game, "1", root=1)
    assert fresh(game).undo_until is None


def planned(client, node):
    """Return the turns that the page of a position would plan, as its form sends them."""
    html = html_of(client, page_of(node))
    return re.findall(r'name="turn"\s+value="([^"]+)"', html)


def test_a_line_from_the_newest_position_can_be_planned(as_ann, game, bob):
    play_all(game, ["5"], now=timezone.now())
    one, nine, two = added(as_ann, game, "1", "9", "2", root=1)
    assert planned(as_ann, one) == []
    assert planned(as_ann, nine) == ["1", "9"]
    assert planned(as_ann, two) == ["1", "9"]  # what follows the last answer is left out
    sent = {"turn": planned(as_ann, nine), "expected_turn": "1"}
    html = as_ann.post(f"/games/{game.pk}/plan/", sent, follow=True).content.decode()
    assert "Your turn is planned." in html
    assert "if 1 then 9" in html
    play_all(game, ["1"], now=timezone.now())
    assert fresh(game).turn_number == 3


def test_a_line_that_cannot_be_planned_is_not_offered_and_refused(as_ann, game):
    play_all(game, ["5"], now=timezone.now())
    old = added(as_ann, game, "1", "9", root=0)[1]
    assert planned(as_ann, old) == []
    nine = added(as_ann, game, "1", "9", root=1)[1]
    for turns, expected, said in (
        (["1", "9"], 0, "meant for another position"),
        (["1", "zz"], 1, "zz"),
        (["1"], 1, "A plan answers a turn of another player"),
    ):
        sent = {"turn": turns, "expected_turn": str(expected)}
        assert said in as_ann.post(f"/games/{game.pk}/plan/", sent).content.decode()
    assert not PlannedTurn.objects.exists()
    resign(game_id=game.pk, user=nine.user, now=timezone.now())
    assert planned(as_ann, nine) == []


def test_the_board_is_turned_as_that_of_the_game(as_ann, game):
    html = html_of(as_ann, f"{board_at(game, 0)}&side=1")
    assert re.search(r'class="cell[^>]*data-square="(\d)"', html)[1] == "9"
    assert f"{reverse('analysis', args=[game.pk])}?turn=0&amp;side=0" in html
    assert (
        re.search(r'class="cell[^>]*data-square="(\d)"', html_of(as_ann, board_at(game, 0)))[1]
        == "9"
    )


def test_in_french(as_ann, ann, game):
    ann.language = "fr"
    ann.save()
    node = added(as_ann, game, "5")[0]
    html = html_of(as_ann, page_of(node))
    assert "Cette analyse n’est visible que par vous." in html
    assert "Only you" not in html


# What it costs -----------------------------------------------------------------------------------


def test_a_page_costs_the_same_whatever_is_kept(as_ann, ann, bob):
    now = timezone.now()
    turns = ["11", "12", "22", "23", "33", "31"]
    game = play_all(begin(ann, bob, now=now, slug="super-morpion"), turns, now=now)
    html_of(as_ann, board_at(game, 6))  # ann was here, and what bob played is seen

    def cost(path):
        with CaptureQueriesContext(connection) as asked:
            html_of(as_ann, path)
        return len([one for one in asked if "SAVEPOINT" not in one["sql"]])

    before = [cost(board_at(game, turn)) for turn in (0, 1, 3, 6)]
    rules, parent = game.rules, None
    position = rules.load(game.position)
    for _ in range(12):
        for action in rules.legal_actions(position)[:3]:
            node = analysis.play_variation(
                game_id=game.pk, user=ann, turn=6, text=rules.format(position, action),
                parent_id=parent.pk if parent else None, now=now,
            )  # fmt: skip
        parent = node
        position = rules.play(position, action)
    analysis.write_note(game_id=game.pk, user=ann, turn=3, node_id=None, text=SECRET, now=now)
    assert AnalysisNode.objects.count() > 30
    assert [cost(board_at(game, turn)) for turn in (0, 1, 3, 6)] == before
    assert max(before) < QUERIES
    assert cost(page_of(parent)) <= QUERIES
