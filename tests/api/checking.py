"""Holds every answer of the API in the test run against the OpenAPI document that it serves."""

import json
import re
from functools import cache

import jsonschema_rs
from django.http import HttpResponseNotFound

PREFIX = "/api/v1/"
HEADERS = {"etag", "ratelimit", "ratelimit-policy", "retry-after", "www-authenticate"}
"""What an answer may only have if the document says so."""


class CheckedApiMiddleware:
    """Fails a test in which the API answers otherwise than its document says."""

    def __init__(self, get_response):
        self.get_response = get_response

    def __call__(self, request):
        response = self.get_response(request)
        if request.path_info.startswith(PREFIX) and request.path_info != f"{PREFIX}openapi.json":
            check(request.method, request.path_info, response)
        return response


def check(method, path, response):
    """Assert that an answer is one that the document describes."""
    operation = operation_at(method, path)
    if operation is None:
        assert response.status_code in (404, 405), (method, path, response.status_code)
        assert isinstance(response, HttpResponseNotFound) or is_problem(response)
        return
    described = operation["responses"].get(response.status_code)
    assert described is not None or response.status_code == 500, (path, response.status_code)
    if described is None:
        assert is_problem(response)
        return
    for name in HEADERS & {*map(str.lower, response.headers)}:
        assert name in {one.lower() for one in described["headers"]}, (path, name)
    if "content" not in described:
        assert response.content == b""
        return
    [(media_type, content)] = described["content"].items()
    assert response.headers["Content-Type"].partition(";")[0] == media_type
    if method != "HEAD":
        validator(json.dumps(content["schema"])).validate(json.loads(response.content))


def is_problem(response):
    return response.headers["Content-Type"] == "application/problem+json"


@cache
def document():
    """Return the document, as the server gives it."""
    from games.api.api import api

    return json.loads(json.dumps(api.get_openapi_schema()), object_hook=_with_numbers)


def _with_numbers(data):
    return {int(key) if key.isascii() and key.isdigit() else key: data[key] for key in data}


def operation_at(method, path):
    """Return what the document says of a request; None if there is no such route."""
    for route, operations in document()["paths"].items():
        if re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", route.replace("{id}", r"\d+")), path):
            return operations.get("get" if method == "HEAD" else method.lower())
    return None


@cache
def validator(schema):
    whole = {**json.loads(schema), "components": document()["components"]}
    return jsonschema_rs.Draft202012Validator(whole, validate_formats=True)
