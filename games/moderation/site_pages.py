"""What administrators write on the pages About, Privacy and Contact."""

from datetime import datetime

from django.db import transaction

from accounts.models import Language, User
from games import errors
from games.models import SitePage
from games.moderation import log
from games.moderation.action_names import SiteAction

LONGEST_PAGE = 20_000
"""Characters."""


@transaction.atomic
def write_page(
    *, name: str, language: str, text: str, by: User, why: str, now: datetime
) -> SitePage:
    """Show this text (Markdown) on a page to readers of a language, instead of what is there.

    Raises NotAnAdministrator, NoReason, BadSitePage.
    """
    _check_may_write(by)
    words = text.replace("\r\n", "\n").strip()
    is_known = name in SitePage.Name.values and language in Language.values
    if not is_known or not words or len(words) > LONGEST_PAGE or "\0" in words:
        raise errors.BadSitePage(most=LONGEST_PAGE)
    page, _ = SitePage.objects.update_or_create(
        name=name,
        language=language,
        defaults={"text": words, "updated_at": now, "by": by},
    )
    _log_page(SiteAction.WRITE_PAGE, page, by, why, now)
    return page


@transaction.atomic
def remove_page(*, page_id: int, by: User, why: str, now: datetime) -> None:
    """Delete a text, so that the page shows Pli's own again. The log keeps it.

    Raises NotAnAdministrator, NoReason, NoSuchSitePage.
    """
    _check_may_write(by)
    page = SitePage.objects.select_for_update().filter(pk=page_id).first()
    if page is None:
        raise errors.NoSuchSitePage
    _log_page(SiteAction.REMOVE_PAGE, page, by, why, now)
    page.delete()


def _check_may_write(by: User) -> None:
    if not by.has_perm("games.change_sitepage"):
        raise errors.NotAnAdministrator


def _log_page(action: SiteAction, page: SitePage, by: User, why: str, now: datetime) -> None:
    details: dict[str, object] = {"page": page.name, "language": page.language, "text": page.text}
    log.write_entry(by=by, what=action.value, why=why, now=now, details=details)
