"""Two people who choose names that look alike at the same moment: one gets theirs."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.urls import reverse

from accounts.models import NameTaken, TakenName, User
from accounts.names import name_keys
from tests.factories import PersonFactory

pytestmark = pytest.mark.django_db(transaction=True)

ROUNDS = 5


def at_once(*works):
    """Do several things in a thread each, at the same moment; return what each returned."""
    start = threading.Barrier(len(works))

    def one(work):
        start.wait(30)
        try:
            return work()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(works)) as pool:
        return list(pool.map(one, works))


def signing_up(username, email):
    def sign_up():
        answers = {"username": username, "email": email, "password1": "a long walk home"}
        return Client().post(reverse("account_signup"), answers).status_code

    return sign_up


def renaming(person, name):
    def rename():
        mine = User.objects.get(pk=person.pk)
        mine.display_name = name
        try:
            mine.save(update_fields=["display_name"])
        except NameTaken:
            return "taken"
        return "mine"

    return rename


def test_of_two_who_sign_up_at_once_with_names_that_look_alike_one_does(db):
    for number in range(ROUNDS):
        cache.clear()
        names = [f"mamie{number}", f"rnarnie{number}"]
        answers = at_once(
            *(signing_up(name, f"{name}@example.org") for name in names),
        )
        assert sorted(answers) == [200, 302]
        assert User.objects.filter(username__in=names).count() == 1


def test_of_two_who_choose_display_names_that_look_alike_one_gets_theirs(ann, bob):
    for number in range(ROUNDS):
        names = [f"Jo March {number}", f"J\u043e March {number}"]
        answers = at_once(
            *(renaming(who, name) for who, name in zip((ann, bob), names, strict=True))
        )
        assert sorted(answers) == ["mine", "taken"]
        shown = User.objects.filter(display_name__in=names)
        assert shown.count() == 1
        assert TakenName.objects.get(key__in=name_keys(names[0])).user == shown.get()


def test_names_that_are_exchanged_at_once_never_become_one(ann, bob):
    """Each wants what the other has: both may be refused, none may wait for ever."""
    for number in range(ROUNDS):
        one = PersonFactory(username=f"one{number}", display_name=f"First {number}")
        two = PersonFactory(username=f"two{number}", display_name=f"Second {number}")
        at_once(renaming(one, f"Second {number}"), renaming(two, f"First {number}"))
        shown = User.objects.filter(pk__in=[one.pk, two.pk])
        assert len(set(shown.values_list("display_name", flat=True))) == 2
