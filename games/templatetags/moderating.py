"""What the first page of the admin tells."""

from django import template

from games.models import Report
from games.models.report import WAITING

register = template.Library()


@register.simple_tag
def waiting_reports() -> int:
    """Return how many reports nobody has closed yet."""
    return Report.objects.filter(state__in=WAITING).count()
