"""The rulebooks, and the boards on their pages that anybody can play on."""

from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games import errors
from games.queries.positions import choices_for_script
from games.queries.site_cards import preview_address
from games.queries.trials import Trial, read_trial
from games.render.picture import board_picture
from games.rulebook import Example, read_rulebook
from games.rules.base import AnyRules
from games.rules.registry import UnknownGame, all_rules, rules_for
from games.templatetags.boards import page_svg
from games.views.link_previews import LinkPreview


@require_safe
def rules_index(request: HttpRequest) -> HttpResponse:
    """List every game with its drawing and one sentence."""
    return render(request, "games/rules_index.html", {"all_rules": all_rules()})


@require_safe
def rulebook(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a game's rulebook in the reader's language, and its start as a board to try."""
    rules = _rules_or_refusal(slug)

    def figure(example: Example, caption: SafeString) -> str:
        board = example.board(rules)
        drawing = board_picture(board, title=_("An example"), translate=gettext)
        options = " ".join(f"{key}={value}" for key, value in example.options.items())
        context = {
            "caption": caption,
            "drawing": SafeString(drawing),
            "options": options,
            "moves": example.line,
            "turns": len(example.turns),
        }
        return render_to_string("games/_example.html", context)

    trial = read_trial(rules)
    start, choices = _answer(trial), trial.choices()
    context = {
        "rules": rules,
        "link_preview": LinkPreview(
            title=gettext(rules.name),
            description=gettext(rules.summary),
            image=preview_address(slug),
            alt=_("An example"),
            address=request.path,
        ),
        "name": gettext(rules.name),
        "book": read_rulebook(slug, (get_language() or "en")[:2], figure),
        "start": start,
        # The page module makes these buttons again: their room is kept until it does.
        "off_board": [choice for choice in choices if not choice.squares],
        "squares": len(rules.board(trial.position, None, ()).cells),
        "choices": choices,
        "hides_choices": start["hidden"],
    }
    return render(request, "games/rulebook.html", context)


@require_safe
def rules_position(request: HttpRequest, slug: str) -> HttpResponse:
    """Answer the boards of a rulebook: where `moves` lead from the start with `options`.

    With `turn`: where one more turn, or its beginning, leads to. With `square`: the actions that
    begin on that square (after `turn`, if it is given too), for games that show no more than that.
    """
    asked = request.GET
    try:
        rules = _rules_or_refusal(slug)
        trial = read_trial(rules, asked.get("options", ""), asked.get("moves", ""))
        if asked.get("turn"):
            trial = trial.go_on(asked["turn"])
        if "square" in asked:
            choices = trial.choices(first_square=asked["square"])
            return JsonResponse({"actions": choices_for_script(choices)})
        return JsonResponse(_answer(trial))
    except errors.Refusal as refusal:
        body = {"error": refusal.sentence, "code": refusal.code}
        return JsonResponse(body, status=refusal.status)


def _rules_or_refusal(slug: str) -> AnyRules:
    try:
        return rules_for(slug)
    except UnknownGame:
        raise errors.UnknownRules from None


def _answer(trial: Trial) -> dict[str, Any]:
    """Return a position as the page module reads it: an answer to a preview, and what follows."""
    board = trial.rules.board(trial.position, None, trial.actions)
    report = trial.report()
    return {
        "svg": page_svg(board, title=_("The board"), description=report),
        "moves": " ".join(trial.turns),
        "report": report,
        "notation": trial.rules.format_turn(trial.before, trial.actions),
        "words": trial.words(),
        "complete": trial.is_whole,
        "actions": choices_for_script(trial.choices()),
        "hidden": trial.rules.hides_legal_actions(trial.position),
    }
