"""Whoever watches over the service asks /healthz."""

import pytest
from django.db import DatabaseError, connection


@pytest.mark.django_db
def test_it_says_ok_while_the_database_answers_without_asking_it_much(
    client, django_assert_num_queries
):
    with django_assert_num_queries(1):
        response = client.get("/healthz")
    assert (response.status_code, response.content) == (200, b"ok")
    assert "no-store" in response["Cache-Control"]


@pytest.mark.django_db
def test_it_says_503_when_the_database_does_not_answer(client):
    def broken(execute, sql, params, many, context):
        raise DatabaseError("gone")

    with connection.execute_wrapper(broken):
        response = client.get("/healthz")
    assert response.status_code == 503


@pytest.mark.django_db
def test_nobody_can_post_to_it(client):
    assert client.post("/healthz").status_code == 405
