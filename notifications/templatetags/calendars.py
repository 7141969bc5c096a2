"""The calendar's address in templates."""

from django import template

from accounts.models import User
from notifications.services.feeds import feed_url

register = template.Library()


@register.simple_tag
def calendar_address(person: User) -> str:
    """Return the secret address of a person's calendar; empty where there is none."""
    return feed_url(person)
