"""A program that asks the API, in the process of the test."""

import json

from django.test import Client

from accounts.api_tokens import create_token
from accounts.models import Scope


def token_for(user, *, now, scopes=tuple(Scope.values), expires_at=None):
    """Return a secret that acts for a user."""
    _, secret = create_token(
        user=user,
        name="of a test",
        scopes=scopes,
        expires_at=expires_at,
        request=None,
        now=now,
    )
    return secret


class Api:
    """Sends requests with a token; answers have their JSON in `data`."""

    def __init__(self, secret, **headers):
        self.client = Client(raise_request_exception=False)
        self.headers = {"Authorization": f"Bearer {secret}", **headers} if secret else headers

    def get(self, path, data=None, **headers):
        return self._asked(self.client.get(f"/api/v1{path}", data, headers=self.headers | headers))

    def post(self, path, data=None, **headers):
        return self._asked(
            self.client.post(
                f"/api/v1{path}",
                json.dumps(data or {}),
                content_type="application/json",
                headers=self.headers | headers,
            )
        )

    def _asked(self, answer):
        answer.data = json.loads(answer.content) if answer.content else None
        return answer


def code_of(answer):
    """Return status and code of a refusal."""
    return answer.status_code, answer.data["code"]
