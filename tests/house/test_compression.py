"""Pages are sent compressed to who takes that."""

import gzip
import re

import pytest

pytestmark = pytest.mark.django_db

TOKEN = re.compile(r"\b[A-Za-z0-9]{64}\b")


@pytest.fixture
def as_ann(client, ann):
    client.force_login(ann)
    return client


def get(client, path="/", encoding="gzip, deflate, br"):
    return client.get(path, headers={"Accept-Encoding": encoding})


def test_a_page_is_compressed(as_ann):
    plain = as_ann.get("/")
    packed = get(as_ann)
    assert packed["Content-Encoding"] == "gzip"
    assert "Accept-Encoding" in packed["Vary"]
    assert int(packed["Content-Length"]) == len(packed.content) < len(plain.content) / 2
    page = gzip.decompress(packed.content).decode()
    assert TOKEN.sub("", page) == TOKEN.sub("", plain.text)


@pytest.mark.parametrize("encoding", ["", "br", "identity"])
def test_nobody_gets_what_they_do_not_take(as_ann, encoding):
    answer = get(as_ann, encoding=encoding)
    assert "Content-Encoding" not in answer
    assert "Accept-Encoding" in answer["Vary"]


def test_a_short_answer_is_sent_as_it_is(client):
    answer = get(client, "/healthz")
    assert answer.content == b"ok"
    assert "Content-Encoding" not in answer


def test_how_long_a_page_is_does_not_tell_what_it_says(as_ann):
    # Tokens alone change the length by a few bytes.
    lengths = {len(get(as_ann).content) for _ in range(20)}
    assert max(lengths) - min(lengths) > 30
