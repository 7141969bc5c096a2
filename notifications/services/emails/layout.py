"""What every mail's layout needs, and the parts of a text."""

from datetime import datetime

from django.conf import settings


def layout_context(language: str, now: datetime) -> dict[str, object]:
    """Return what the layout of any mail of ours needs."""
    return {
        "site_name": settings.SITE_NAME,
        "site_url": settings.SITE_URL,
        "language": language,
        "now": now,
    }


def paragraphs(text: str) -> list[str]:
    """Return the parts of a text between blank lines, without blanks around their lines."""
    lines = "\n".join(line.strip() for line in text.splitlines())
    return [part.strip("\n") for part in lines.split("\n\n") if part.strip("\n")]
