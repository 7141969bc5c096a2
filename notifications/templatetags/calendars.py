"""The calendar's address in templates."""

from django import template

from accounts.models import User
from notifications.services.feeds import feed_url

register = template.Library()


@register.simple_tag
def calendar_address(user: User) -> str:
    return feed_url(user)
