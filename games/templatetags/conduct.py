"""What somebody can do about another player."""

from django import template
from django.template import Context

from accounts.models import Block, User

register = template.Library()


@register.inclusion_tag("games/_conduct_towards.html", takes_context=True)
def conduct_towards(context: Context, person: User) -> dict[str, object]:
    """Show how to block or report a person, to whoever is signed in and somebody else."""
    viewer = context["user"]
    if not isinstance(viewer, User) or viewer.pk == person.pk or person.is_program:
        return {}
    blocked = Block.objects.filter(by=viewer, of=person).exists()
    return {"person": person, "blocked": blocked, "csrf_token": context.get("csrf_token")}
