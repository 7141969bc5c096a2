"""The pages About, Privacy and Contact: the host's text, or Pli's own."""

from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from markdown_it import MarkdownIt

from games.models import SitePage


@dataclass(frozen=True)
class PageText:
    """A page's text as HTML, and its language.

    `updated_at` is when the host last changed it; None for Pli's own text.
    """

    html: SafeString
    language: str
    updated_at: datetime | None = None


def page_text(name: str, language: str) -> PageText:
    """Return the text of a page for a reader of `language`.

    What the host wrote comes first, even if it is in another language only: it is what holds here.
    """
    written = {page.language: page for page in SitePage.objects.filter(name=name)}
    page = written.get(language) or next(iter(written.values()), None)
    if page is not None:
        return PageText(_to_html(page.text), page.language, page.updated_at)
    text = render_to_string(
        f"site_pages/{name}.{language}.md",
        {
            "site_name": settings.SITE_NAME,
            "security_contact": settings.SECURITY_CONTACT,
            "security_days": settings.SECURITY_EVENTS_KEPT.days,
            "export_days": settings.DATA_EXPORTS_KEPT.days,
            "deletion_days": settings.DELETION_WAIT.days,
            "mail_days": settings.KEEP_RAW_MAIL.days,
            "session_days": settings.SESSION_LIFETIME.days,
            "reports_errors": bool(settings.SENTRY_DSN),
        },
    )
    return PageText(_to_html(text), language)


def _to_html(markdown: str) -> SafeString:
    """Return Markdown as HTML. HTML in it is shown as text, and unsafe links stay words."""
    reader = MarkdownIt("commonmark", {"html": False}).enable("table")
    return SafeString(reader.render(markdown))
