"""The development inbox: only where nothing is secret, and nothing in a mail can run."""

import pytest
from django.core import mail
from django.core.mail import EmailMultiAlternatives

from notifications.dev_inbox.backend import EmailBackend
from notifications.dev_inbox.mails import NoSuchMail, mail_named, newest
from tests.notifications.outgoing_mail import play, tell

EVIL = '<html><head></head><body><script>alert(1)</script><p onclick="x()">Hello</p></body></html>'


@pytest.fixture
def box(settings, tmp_path):
    """An open letterbox."""
    settings.DEVELOPMENT = True
    settings.LETTERBOX_DIR = tmp_path / "letterbox"
    settings.EMAIL_BACKEND = "notifications.dev_inbox.backend.EmailBackend"
    return settings.LETTERBOX_DIR


def put(subject="Hello", to="ann@example.org", html=EVIL, text="See http://localhost:8000/x/."):
    message = EmailMultiAlternatives(subject, text, "pli@example.org", [to])
    message.attach_alternative(html, "text/html")
    EmailBackend().send_messages([message])
    return newest()[0].name


def pages(name):
    base = f"/letterbox/{name}/"
    return ["/letterbox/", "/letterbox/?to=ann", base, f"{base}html/", f"{base}source/"]


def test_an_open_inbox_shows_every_page(client, db, box):
    for page in pages(put()):
        assert client.get(page).status_code == 200, page


def test_without_make_run_there_is_no_inbox(client, db, box, settings):
    name = put()
    settings.DEVELOPMENT = False
    for page in [*pages(name), "/letterbox/no-such-mail/"]:
        assert client.get(page).status_code == 404, page


def test_without_a_folder_there_is_no_inbox(client, db, box, settings):
    name = put()
    settings.LETTERBOX_DIR = None
    for page in [*pages(name), "/letterbox/no-such-mail/"]:
        assert client.get(page).status_code == 404, page


def test_an_empty_inbox_says_so(client, db, box):
    assert "No mail yet" in client.get("/letterbox/").content.decode()


def test_mails_are_listed_newest_first(client, db, box):
    for number in range(3):
        put(subject=f"Letter {number}")
    page = client.get("/letterbox/").content.decode()
    places = [page.index(f"Letter {number}") for number in (2, 1, 0)]
    assert places == sorted(places)


def test_the_list_can_be_kept_to_one_reader(client, db, box):
    put(subject="For ann", to="ann@example.org")
    put(subject="For bob", to="bob@example.org")
    page = client.get("/letterbox/?to=bob@example.org").content.decode()
    assert "For bob" in page
    assert "For ann" not in page


def test_a_turn_mail_is_shown_whole(client, game, ann, now, box):
    type(ann).objects.update(language="en")
    play(game, ann, "5", now)
    tell(now)
    assert mail.outbox == []
    (turn,) = [m for m in newest() if m.kind == "your-turn"]
    page = client.get(f"/letterbox/{turn.name}/").content.decode()
    assert "bob@example.org" in page
    assert "Morpion with ann" in page
    assert "Auto-Submitted" in page
    assert f'href="http://localhost:8000/games/{game.pk}/"' in page
    assert 'href="http://localhost:8000/unsubscribe/' in page
    html = client.get(f"/letterbox/{turn.name}/html/").content.decode()
    assert 'src="data:image/png;base64,iVBOR' in html
    assert "cid:" not in html


def test_nothing_in_a_mail_can_run(client, db, box):
    name = put()
    response = client.get(f"/letterbox/{name}/html/")
    assert "<script>alert(1)</script>" in response.content.decode()
    rules = dict(
        rule.strip().partition(" ")[::2] for rule in response["Content-Security-Policy"].split(";")
    )
    assert rules["default-src"] == "'none'"
    assert "script-src" not in rules
    assert "allow-scripts" not in rules["sandbox"]
    assert "allow-same-origin" not in rules["sandbox"]
    frame = client.get(f"/letterbox/{name}/").content.decode().split("<iframe")[1].split(">")[0]
    assert "sandbox=" in frame
    assert "allow-scripts" not in frame
    assert "allow-same-origin" not in frame


def test_hostile_words_stay_text_around_the_frame(client, db, box):
    evil = "<script>alert(2)</script>"
    name = put(subject=evil, text=f"{evil} http://localhost/<script>")
    for page in ("/letterbox/", f"/letterbox/{name}/"):
        text = client.get(page).content.decode()
        assert evil not in text
        assert "&lt;script&gt;alert(2)" in text


def test_the_source_is_plain_text(client, db, box):
    response = client.get(f"/letterbox/{put()}/source/")
    assert response["Content-Type"] == "text/plain; charset=utf-8"
    assert response["X-Content-Type-Options"] == "nosniff"
    assert b"Subject: Hello" in response.content


@pytest.mark.parametrize("name", ["x", "..%2fsettings", "0" * 20 + "-zzzzzzzz", "%00", "a%0Ab"])
def test_no_other_file_can_be_read(client, db, box, name):
    put()
    (box.parent / "settings.eml").write_text("secret")
    assert client.get(f"/letterbox/{name}/").status_code == 404


def test_no_name_leads_out_of_the_inbox(db, box):
    put()
    (box.parent / "settings.eml").write_text("secret")
    with pytest.raises(NoSuchMail):
        mail_named("../settings")


def test_a_mail_is_whole_or_not_there(db, box):
    put()
    assert [path.suffix for path in box.iterdir()] == [".eml"]
    (box / f"{0:020}-00000000.part").write_bytes(b"half")
    assert len(newest()) == 1
