"""Every address of the service, asked by everybody and every method: rows.py, admin_rows.py."""

from types import ModuleType

import pytest
from django.conf import settings as configured
from django.http import HttpResponse
from django.urls import include, path, reverse

from config import urls
from tests.permissions import admin_rows, rows
from tests.permissions.asking import OTHER_METHODS, WHO, Asker, outcome
from tests.permissions.patterns import patterns
from tests.sample_site import SAID_IN_PRIVATE, SAID_TO_ONESELF

pytestmark = pytest.mark.django_db

ROWS = [*rows.ROWS, *admin_rows.ROWS]


@pytest.fixture(scope="module")
def asker(site):
    return Asker(site)


# Every pattern has a row -------------------------------------------------------------------------


def without_row(urlconf=None):
    return set(patterns(urlconf)) - {row.name for row in ROWS}


def test_every_pattern_has_a_row():
    """How to add one is said in tests/permissions/rows.py."""
    assert without_row() == set()


def test_every_row_has_a_pattern():
    assert {row.name for row in ROWS} - set(patterns()) == set()


def test_a_pattern_without_a_row_is_found():
    def view(request):
        return HttpResponse()

    inner = ([path("deep/", view, name="deep"), path("nameless/<int:pk>/", view)], "space")
    planted = [path("planted/", view, name="planted"), path("more/", include(inner))]
    urlconf = ModuleType("planted")
    urlconf.urlpatterns = [*urls.urlpatterns, *planted]
    assert without_row(urlconf) == {"planted", "space:deep", "more/nameless/<int:pk>/"}


# What everybody is answered ----------------------------------------------------------------------


def address(row, site):
    if "/" not in row.name:
        return reverse(row.name, args=row.blanks(site))
    route = row.name.replace("(?P<url>.*)$", "nothing/at/all")
    return "/" + route.replace("<path:object_id>", "".join(map(str, row.blanks(site))))


def expected(outcomes, who):
    """Return what each of these people should be answered."""
    if isinstance(outcomes, tuple):
        return dict(zip(who, outcomes, strict=True))
    return dict.fromkeys(who, outcomes)


@pytest.mark.parametrize("row", ROWS, ids=str)
@pytest.mark.slow
def test_who_is_answered_how(row, site, asker):
    where = address(row, site)
    who = WHO if row.name.startswith("admin") else WHO[:-1]
    # HEAD is answered like GET, without the content: three people are enough to show that.
    asked = {"GET": who, "HEAD": (who[0], "ann", who[-1]), "POST": who}
    answers = {
        method: {one: asker.ask(one, method, where, rows.SENT) for one in people}
        for method, people in asked.items()
    }
    found = {
        method: {one: outcome(answer) for one, answer in given.items()}
        for method, given in answers.items()
    }
    assert found["GET"] == expected(row.safe, who)
    like_get = found["GET"] if row.head is None else expected(row.head, who)
    assert found["HEAD"] == {one: like_get[one] for one in asked["HEAD"]}
    assert found["POST"] == expected(row.post, who)
    for method in ("GET", "HEAD"):
        assert [sql for answer in answers[method].values() for sql in answer.written] == []
    for given in answers.values():
        node = f"/analysis/{site.analysed.pk}/"
        own = {SAID_TO_ONESELF, node} - ({node} if node in where else set())
        told_of_analysis = {
            one
            for one, answer in given.items()
            if any(said.encode() in answer.content for said in own)
        }
        assert told_of_analysis <= {"ann"}
        told_in_private = {
            one for one, answer in given.items() if SAID_IN_PRIVATE.encode() in answer.content
        }
        logged = {one for one, answer in given.items() if site.private.pk in answer.logged}
        assert told_in_private <= {"ann"} | logged
        assert logged <= {"mona", "hana", "root"}


def test_no_other_method_is_answered(site, asker):
    for row in ROWS:
        where = address(row, site)
        for method in OTHER_METHODS:
            for who in WHO:
                answer = asker.clients[who].generic(method, where)
                assert answer.status_code == 405, (row, method, who)
                assert answer["Allow"] == "GET, HEAD, POST"


def test_the_dev_inbox_is_everybodys_where_there_is_one(site, asker, settings, tmp_path):
    settings.DEVELOPMENT, settings.LETTERBOX_DIR = True, tmp_path
    for who in WHO:
        assert asker.ask(who, "GET", reverse("letterbox")).status_code == 200
        assert asker.ask(who, "POST", reverse("letterbox")).status_code == 405
        for name in ("letterbox_mail", "letterbox_html", "letterbox_source"):
            assert asker.ask(who, "GET", reverse(name, args=["x"])).status_code == 404


def test_there_is_no_dev_inbox_in_the_tests_themselves():
    assert configured.LETTERBOX_DIR is None
