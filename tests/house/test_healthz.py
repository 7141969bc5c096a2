"""Whoever watches over the service asks /healthz whether the process is alive."""

import pytest


@pytest.mark.django_db
def test_it_says_ok_and_never_waits_for_the_database(client, django_assert_num_queries):
    with django_assert_num_queries(0):
        response = client.get("/healthz")
    assert (response.status_code, response.content) == (200, b"ok")
    assert "no-store" in response["Cache-Control"]


@pytest.mark.django_db
def test_nobody_can_post_to_it(client):
    assert client.post("/healthz").status_code == 405
