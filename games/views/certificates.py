"""The certificates of the players of a season that is over, as pictures."""

from http import HTTPStatus

from django.conf import settings
from django.http import HttpRequest, HttpResponse, HttpResponseNotFound, HttpResponseRedirect
from django.utils.translation import override
from django.views.decorators.http import require_safe

from games.queries.certificates import certificate_of
from games.rules.registry import UnknownGame
from games.views.link_previews import kept_for_good


@require_safe
def certificate(
    request: HttpRequest, entry: int, language: str, digest: str, kind: str
) -> HttpResponse:
    """Return the certificate of an entry as PNG or SVG, as anybody may see it.

    An address whose words are no longer right leads to the new one, as those of the pictures of
    games do. This view is called without session: `EarlyAnswersMiddleware`.
    """
    if language not in dict(settings.LANGUAGES) or kind not in ("png", "svg"):
        return HttpResponseNotFound()
    with override(language):
        try:
            found = certificate_of(entry)
        except UnknownGame:
            found = None
        if found is None:
            return HttpResponseNotFound()
        if found.digest != digest:
            return HttpResponseRedirect(found.svg_address if kind == "svg" else found.png_address)
        if request.headers.get("If-None-Match") == f'"{digest}"':
            return kept_for_good(HttpResponse(status=HTTPStatus.NOT_MODIFIED), digest)
        if kind == "svg":
            answer = HttpResponse(found.svg(), content_type="image/svg+xml")
        else:
            answer = HttpResponse(found.png(), content_type="image/png")
        return kept_for_good(answer, digest)
