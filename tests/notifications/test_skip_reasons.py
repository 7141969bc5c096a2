"""Why a notice was not sent: a value, in databases from before it too."""

from importlib import import_module
from types import SimpleNamespace

import pytest
from django.apps import apps
from django.db import connection
from django.utils import translation

from notifications.models import Kind, Notice, SkipReason

State = Notice.State
MIGRATION = import_module("notifications.migrations.0009_map_skip_reasons")
SERVERS_WORDS = "550 5.1.1 No such user here"

pytestmark = pytest.mark.django_db


@pytest.fixture
def kept(now):
    """Keeps a notice that was dropped, as the previous release did: with its sentence alone."""

    def keep(reason, **fields):
        return Notice.objects.create(
            **{"kind": Kind.MESSAGE, "state": State.DROPPED} | fields,
            reason=reason,
            message_id=f"<{Notice.objects.count()}@example.org>",
            created_at=now,
            due_at=now,
        )

    return keep


def map_sentences():
    MIGRATION.map_sentences(apps, SimpleNamespace(connection=connection))


def test_every_sentence_of_before_becomes_its_value(kept, monkeypatch):
    monkeypatch.setattr(MIGRATION, "BATCH", 4)
    for sentence in MIGRATION.SENTENCES:
        kept(sentence)
    map_sentences()
    rows = dict(Notice.objects.values_list("reason", "skip_reason"))
    assert rows == MIGRATION.SENTENCES
    assert set(rows.values()) == set(SkipReason) - {SkipReason.INVITATIONS_REFUSED}


def test_what_a_mail_server_said_stays_as_it_is(kept):
    refused = kept(SERVERS_WORDS, state=State.FAILED)
    silent = kept("", state=State.SENT)
    map_sentences()
    for notice in (refused, silent):
        before = notice.reason
        notice.refresh_from_db()
        assert (notice.reason, notice.skip_reason) == (before, "")


@pytest.mark.parametrize("reason", [SkipReason.TOLD_TOGETHER, SkipReason.SWITCHED_OFF])
def test_both_releases_understand_the_others_rows(kept, reason):
    (sentence,) = (said for said, value in MIGRATION.SENTENCES.items() if value == reason)
    theirs = kept(sentence)
    ours = kept("")
    Notice.objects.filter(pk=ours.pk).update(**reason.as_fields())
    kept(SERVERS_WORDS)
    kept("")
    assert set(Notice.objects.filter(reason.as_condition())) == {theirs, ours}
    assert set(Notice.objects.filter(reason=sentence)) == {theirs, ours}


def test_of_other_reasons_no_sentence_is_written(kept):
    assert SkipReason.SEEN.as_fields() == {"skip_reason": "seen", "reason": ""}
    kept("")
    assert not Notice.objects.filter(SkipReason.SEEN.as_condition()).exists()


def test_a_reason_is_explained_in_the_readers_language(kept):
    ours = kept("", skip_reason=SkipReason.SEEN)
    theirs = kept("This person saw it on the page.")
    refused = kept(SERVERS_WORDS, state=State.FAILED)
    with translation.override("fr"):
        assert ours.explanation == theirs.explanation == str(SkipReason.SEEN.label)
        assert ours.explanation != "This person saw it on the page."
        assert refused.explanation == SERVERS_WORDS
        assert kept("").explanation == ""
