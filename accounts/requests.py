"""A request by somebody who is signed in, for type checkers."""

from django.http import HttpRequest

from accounts.models import User


class AuthenticatedRequest(HttpRequest):
    """What a view behind `login_required` receives."""

    user: User
