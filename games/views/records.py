"""The record of a game as a file, and the page that checks such a file."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from games import errors
from games.queries.record_files import LONGEST_FILE, check_record_file, record_file
from games.templatetags.boards import page_svg
from games.views.page import visible_game


@require_safe
@never_cache
def download_record(request: HttpRequest, pk: int) -> HttpResponse:
    """Answer the record of a game as a file."""
    game = visible_game(request, pk)
    if game.started_at is None:
        raise errors.NoSuchGame
    name = f"{game.rules_slug}-{game.pk}.json"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return JsonResponse(record_file(game), headers=headers, json_dumps_params={"indent": 1})


@require_http_methods(["GET", "HEAD", "POST"])
def check_record(request: HttpRequest) -> HttpResponse:
    """Ask for a record, and say whether it is unchanged and could be played."""
    context: dict[str, object] = {"longest": LONGEST_FILE, "text": ""}
    if request.method != "POST":
        return render(request, "games/check_record.html", context)
    text = request.POST.get("text", "")
    context["text"] = text[:LONGEST_FILE]
    try:
        found = check_record_file(text)
    except errors.Refusal as refusal:
        context["refusal"] = refusal
        return render(request, "games/check_record.html", context, status=refusal.status)
    board = found.rules.board(found.position, None, ())
    context["found"] = found
    context["svg"] = page_svg(board, title=_("The board"), description=found.ending)
    return render(request, "games/check_record.html", context)
