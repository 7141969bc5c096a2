"""What a browser is given to show pages without a network, and to install the site."""

import re
import struct

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.urls import reverse
from django.utils import timezone

from accounts.guests import create_guest
from config import offline
from tests.factories import StaffFactory
from tests.suspensions import suspended

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _nothing_remembered():
    offline._offline_page.cache_clear()
    offline._version.cache_clear()
    yield
    offline._offline_page.cache_clear()
    offline._version.cache_clear()


# The service worker ------------------------------------------------------------------------------


def test_the_worker_is_the_same_for_everybody_and_costs_no_query(
    client, ann, django_assert_num_queries
):
    stranger = client.get("/service-worker.js").content
    client.force_login(ann)
    with django_assert_num_queries(0):
        answer = client.get("/service-worker.js", headers={"Accept-Language": "fr"})
    assert answer.content == stranger
    assert answer["Content-Type"] == "text/javascript; charset=utf-8"
    assert answer["Cache-Control"] == "no-cache"
    assert "Set-Cookie" not in answer
    assert client.post("/service-worker.js").status_code == 405


def version(client):
    return re.search(r'version: "(\w{16})"', client.get("/service-worker.js").text)[1]


def test_a_new_page_for_no_network_makes_a_new_worker(client, settings):
    before = version(client)
    settings.SITE_NAME = "The Club"
    assert version(client) == before, "a process works it out once"
    offline._offline_page.cache_clear()
    offline._version.cache_clear()
    assert version(client) != before


def test_a_host_can_switch_the_worker_off(client, ann, settings):
    client.force_login(ann)
    assert "js/service_worker.mjs" in client.get("/").text
    settings.SERVICE_WORKER = False
    page = client.get("/").text
    assert "js/service_worker.mjs" not in page
    assert "data-install" not in page
    script = client.get("/service-worker.js").text
    assert "registration.unregister()" in script
    assert "importScripts" not in script


def test_a_stranger_gets_no_worker(client):
    page = client.get("/").text
    assert "service_worker.mjs" not in page
    assert "data-install" not in page


# Whose page it is --------------------------------------------------------------------------------


def test_every_page_says_who_is_signed_in_and_nobody_elses_does(client, ann, bob):
    paths = ["/", "/rules/", "/offline/", "/no-such-page/"]
    assert [client.get(path).get("Pli-User") for path in paths] == [None] * 4
    for user in (ann, bob):
        client.force_login(user)
        assert [client.get(path)["Pli-User"] for path in paths] == [str(user.pk)] * 4
    client.post(reverse("account_logout"))
    assert "Pli-User" not in client.get("/")


def test_a_guest_is_a_user_on_the_page_where_they_sign_up_too(client):
    guest = create_guest(language="en", now=timezone.now())
    client.force_login(guest)
    assert client.get(reverse("account_signup"))["Pli-User"] == str(guest.pk)


# The page for no network -------------------------------------------------------------------------


def test_the_page_is_in_the_users_language_and_tells_nothing_of_them(client, ann, bob):
    pages = {}
    for user in (ann, bob):
        client.force_login(user)
        answer = client.get("/offline/")
        assert answer["Content-Language"] == user.language
        assert user.username not in answer.text
        pages[user.language] = answer.text
    assert "No connection" in pages["en"]
    assert "Pas de connexion" in pages["fr"]
    client.logout()
    assert client.get("/offline/").text == pages["en"]


def test_the_page_costs_what_the_session_costs(client, ann, django_assert_num_queries):
    client.force_login(ann)
    client.get("/")
    with django_assert_num_queries(2):
        client.get("/offline/")


def test_games_are_shown_no_longer_than_a_session_lasts(client):
    assert f'data-days="{settings.SESSION_LIFETIME.days}"' in client.get("/offline/").text


def test_a_suspended_user_can_keep_the_page(client, ann):
    StaffFactory(username="host", role="Hosts")
    suspended(ann, timezone.now())
    client.force_login(ann)
    assert client.get("/offline/").status_code == 200


# The manifest ------------------------------------------------------------------------------------


def test_the_manifest_has_the_sites_name_and_speaks_the_pages_language(client, ann, bob, settings):
    settings.SITE_NAME = "The Club"
    for user, description in ((ann, "Board games by"), (bob, "Des jeux de société par")):
        client.force_login(user)
        path = re.search(r'rel="manifest"\s+href="([^"]+)"', client.get("/").text)[1]
        client.logout()  # browsers ask without cookies
        answer = client.get(path)
        assert answer["Content-Type"] == "application/manifest+json"
        manifest = answer.json()
        assert (manifest["name"], manifest["short_name"]) == ("The Club", "The Club")
        assert manifest["lang"] == user.language
        assert manifest["description"].startswith(description)
        assert manifest["id"] == manifest["start_url"] == manifest["scope"] == "/"


def test_a_language_that_we_do_not_speak_is_that_of_the_browser(client):
    answer = client.get("/site.webmanifest?language=tlh", headers={"Accept-Language": "fr"})
    assert answer.json()["lang"] == "fr"


def test_the_manifests_colours_are_those_of_the_pages(client):
    manifest = client.get("/site.webmanifest").json()
    colour = re.search(
        r'"theme-color" content="(#\w+)" media="\(prefers-color-scheme: light', client.get("/").text
    )
    assert manifest["theme_color"] == colour[1]
    with open(finders.find("css/tokens.css"), encoding="utf-8") as tokens:
        paper = re.search(r"--paper: (#\w+);", tokens.read())[1]
    assert manifest["background_color"] == paper


def test_icons_are_as_large_as_the_manifest_says_and_exist_for_each_purpose(client):
    found = set()
    for icon in client.get("/site.webmanifest").json()["icons"]:
        content = b"".join(client.get(icon["src"]).streaming_content)
        if icon["type"] == "image/png":
            width, height = struct.unpack(">II", content[16:24])
            assert icon["sizes"] == f"{width}x{height}"
            found.add((width, icon["purpose"]))
        else:
            assert b"<svg" in content
    assert found == {(size, use) for size in (192, 512) for use in ("any", "maskable")}
