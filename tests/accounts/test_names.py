import unicodedata

import pytest
from django.core.exceptions import ValidationError
from django.urls import reverse

from accounts.models import User
from accounts.names import check_display_name, tidy_display_name

HOSTILE = '<script>alert("x")</script>'


def rename(client, name):
    answers = {"display_name": name, "language": "en", "time_zone": "UTC"}
    return client.post(reverse("profile_edit"), answers)


@pytest.mark.parametrize(
    "name",
    ["Zoë", "Jean-Luc O’Neill", "Анна", "明子", "ann & bob", "नमस्ते", HOSTILE, "Ann 🎲", "a'b\"c"],
)
def test_plain_text_of_any_script_is_a_display_name(name):
    check_display_name(name)


@pytest.mark.parametrize(
    "name",
    [
        "ann\u202ebob",
        "ann\u2066bob\u2069",
        "ann\u200bbob",
        "ann\u200f",
        "\ufeffann",
        "ann\x00",
        "ann\x1b[31m",
        "ann\nbob",
        "ann\u2028bob",
        "\u3164",
        "\u2800\u2800",
        "ann\U000e0041",
        "ann\ue000",
        "a" + "\u0301" * 4,
    ],
)
def test_invisible_and_disturbing_signs_are_refused(name):
    with pytest.raises(ValidationError):
        check_display_name(name)


def test_a_display_name_is_kept_composed_with_single_spaces():
    assert tidy_display_name("  Zoe\u0308   van  Dam ") == "Zo\u00eb van Dam"
    assert unicodedata.is_normalized("NFC", tidy_display_name("Zoe\u0308"))


@pytest.mark.parametrize(
    "name",
    [
        "bob",
        "BOB",
        "b o b",
        "Ｂｏｂ",
        "b\u043eb",
        "b0b",
        "B.o.b!",
        "B\u00f6b",
        "admin",
        "Post Master",
    ],
)
def test_nobody_borrows_the_name_of_another_or_of_the_site(client, ann, bob, name):
    client.force_login(ann)
    answer = rename(client, name)
    assert answer.status_code == 200
    assert "field-error" in answer.content.decode()
    ann.refresh_from_db()
    assert ann.display_name == ""


def test_the_practice_partners_name_cannot_be_borrowed(client, ann):
    client.force_login(ann)
    assert rename(client, "Practice").status_code == 200


def test_ones_own_user_name_may_be_the_display_name_too(client, ann):
    client.force_login(ann)
    assert rename(client, "Ann").status_code == 302
    ann.refresh_from_db()
    assert str(ann) == "Ann"


@pytest.mark.parametrize("name", ["x" * 61, "ann\u202e", "a\x00b"])
def test_a_refused_name_leaves_everything_as_it_was(client, ann, name):
    client.force_login(ann)
    answer = rename(client, name)
    assert answer.status_code == 200
    assert "\u202e" not in answer.content.decode().split("<main")[0]
    assert User.objects.get(pk=ann.pk).display_name == ""


def test_a_name_that_looks_like_html_is_shown_as_text(client, ann, bob):
    client.force_login(ann)
    assert rename(client, HOSTILE).status_code == 302
    for reader in (ann, bob):
        client.force_login(reader)
        for path in (reverse("profile", args=["ann"]), reverse("profile_edit")):
            assert "<script>alert" not in client.get(path).content.decode()
    page = client.get(reverse("profile", args=["ann"])).content.decode()
    assert "<bdi>&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;</bdi>" in page
