"""What a mail about a turn says, and how it is made."""

from datetime import datetime, timedelta
from io import BytesIO

from django.core import mail
from django.utils import translation

from games.clock.time_control import per_turn
from games.models import Terms
from games.services import endings, tables
from notifications.emails import pictures
from notifications.kinds.base import compose
from notifications.models import Notice
from notifications.outbox.recipients import make_notices
from tests.notifications.mail_parts import part, sent_to, text_of
from tests.notifications.outgoing_mail import html_of, play, tell

PNG = b"\x89PNG\r\n\x1a\n"


def test_a_turn_is_told_with_its_words_the_board_and_the_deadline(to_bob, game):
    message = to_bob()
    text = text_of(message)
    assert "Morpion" in message["Subject"]
    assert "ann" in message["Subject"]
    assert f"game {game.pk}" in message["Subject"]
    assert "ann plays" in text
    assert "[X]" in text
    assert f"http://localhost:8000/games/{game.pk}/" in text
    assert f'href="http://localhost:8000/games/{game.pk}/"' in html_of(message)


def test_the_deadline_is_in_the_readers_zone_and_language(game, ann, bob, now):
    bob.time_zone = "Asia/Kolkata"
    bob.save()
    play(game, ann, "5", now)
    text = text_of(sent_to(bob, now, "your-turn"))
    assert "samedi 14 mars 2026" in text
    assert "17:30 (Asia/Kolkata)" in text.replace("\n", " ")


def test_each_reads_their_own_language(game, ann, bob, now):
    english = html_of(sent_to(ann, now, "game-begun"))
    french = next(html_of(m) for m in mail.outbox if m.to == [bob.email])
    assert '<html lang="en">' in english
    assert "Saturday 14 March 2026, 12:00 (Europe/London)" in english
    assert '<html lang="fr">' in french
    play(game, ann, "5", now)
    french = html_of(sent_to(bob, now, "your-turn"))
    assert "samedi 14 mars 2026" in french
    assert "Saturday" not in french


def test_writing_a_mail_leaves_the_senders_language_alone(game, now):
    with translation.override("en"):
        tell(now)
        assert translation.get_language() == "en"


def test_the_board_is_a_picture_named_in_the_html(to_bob):
    message = to_bob()
    picture = part(message, "image/png")
    assert picture.get_content().startswith(PNG)
    assert picture.get_content_disposition() == "inline"
    name = picture["Content-ID"].strip("<>")
    assert f'src="cid:{name}"' in html_of(message)


def test_the_picture_belongs_to_a_mail_of_text_and_html(to_bob):
    message = to_bob()
    assert message.get_content_type() == "multipart/related"
    assert message["Content-Type"].params["type"] == "multipart/alternative"
    bodies, picture = message.iter_parts()
    assert bodies.get_content_type() == "multipart/alternative"
    assert [p.get_content_type() for p in bodies.iter_parts()] == ["text/plain", "text/html"]
    assert picture.get_content_type() == "image/png"


def test_the_picture_shows_the_board_of_that_moment(game, ann, bob, now):
    before = part(sent_to(ann, now, "game-begun"), "image/png").get_content()
    play(game, ann, "5", now)
    after = part(sent_to(bob, now, "your-turn"), "image/png").get_content()
    assert before != after


def test_a_picture_is_drawn_once_for_all_who_see_the_same(game, bob, now, monkeypatch):
    bob.language = "en"
    bob.save()
    drawn = []
    monkeypatch.setattr(
        pictures, "board_png", lambda board, **how: drawn.append(board) or BytesIO(PNG).getvalue()
    )
    pictures._image.cache_clear()
    tell(now)
    assert len([m for m in mail.outbox if m.attachments]) == 2
    assert len(drawn) == 1


def test_headers_say_that_a_machine_wrote_and_how_to_stop_it(to_bob, settings):
    settings.MAIL_DOMAIN = "mail.example.org"
    settings.SITE_URL = "https://pli.example.org"
    message = to_bob()
    assert message["Auto-Submitted"] == "auto-generated"
    assert message["X-Auto-Response-Suppress"] == "OOF, AutoReply"
    assert message["List-Id"] == "<games.mail.example.org>"
    assert message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    link = message["List-Unsubscribe"]
    assert link.startswith("<https://pli.example.org/unsubscribe/")
    assert link.endswith("/>")
    assert link.strip("<>") in text_of(message)
    assert message["X-Pli-Kind"] == "your-turn"
    assert message["Date"].datetime == datetime.fromisoformat("2026-03-10T12:01:30+00:00")


def test_all_mails_of_a_game_to_a_reader_are_one_thread_and_only_those(game, ann, bob, now):
    tell(now)
    play(game, ann, "5", now)
    play(game, bob, "1", now)
    endings.resign(game_id=game.pk, user=ann, now=now)
    tell(now)
    threads = {}
    for message in mail.outbox:
        threads.setdefault(message.to[0], set()).add(message.extra_headers["References"])
        assert message.extra_headers["In-Reply-To"] == message.extra_headers["References"]
    assert [len(roots) for roots in threads.values()] == [1, 1]
    assert threads[ann.email] != threads[bob.email]
    # Gmail makes one thread only of mails with one subject.
    subjects = {message.to[0]: set() for message in mail.outbox}
    for message in mail.outbox:
        subjects[message.to[0]].add(message.subject)
    assert subjects[ann.email] == {f"Morpion with bob (game {game.pk})"}
    assert subjects[bob.email] == {f"Morpion avec ann (partie {game.pk})"}


def test_the_thread_of_another_game_is_another(game, ann, bob, now, allowance):
    roots = {sent_to(ann, now, "game-begun")["References"]}
    second = tables.open_table(
        creator=ann, rules_slug="morpion", options={}, terms=Terms(per_turn(allowance)), now=now
    )
    tables.join_table(game_id=second.pk, user=bob, now=now)
    roots.add(sent_to(ann, now, "game-begun")["References"])
    assert len(roots) == 2


def test_composing_twice_gives_the_same_message_id(game, now):
    make_notices(now=now)
    notice = Notice.objects.filter(kind="game-begun").first()
    first, second = (
        compose(notice, now=now + timedelta(hours=n)).message()["Message-ID"] for n in (0, 1)
    )
    assert first == second == notice.message_id
