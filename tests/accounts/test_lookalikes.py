"""Names that look like another's, or like staff's, are refused."""

import pytest
from django.core.exceptions import ValidationError
from django.core.management import CommandError, call_command
from django.db import IntegrityError, transaction
from django.urls import reverse

from accounts.models import NameTaken, TakenName, User
from accounts.names import LONGEST_KEY, name_keys, refuse_reserved
from accounts.users import get_or_create_user_for
from games import errors
from games.moderation import people, roles
from tests.factories import ModeratorFactory, PersonFactory, StaffFactory
from tests.games.play import refused

pytestmark = pytest.mark.django_db


def sign_up(client, username):
    answers = {"username": username, "email": "dora@example.org", "password1": "a long walk home"}
    return client.post(reverse("account_signup"), answers)


def rename(client, name, **more):
    answers = {"display_name": name, "language": "en", "time_zone": "UTC"} | more
    return client.post(reverse("profile_edit"), answers)


def alike(one, other):
    return bool(name_keys(one) & name_keys(other))


# Which names look alike --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("ann", "\u0430nn"),  # Cyrillic
        ("ann", "\u0391\u039d\u039d"),  # Greek capitals
        ("ann", "\uff21\uff4e\uff4e"),  # wide
        ("ann", "\U0001d41a\U0001d427\U0001d427"),  # bold
        ("ann", "\u00c2n\u0144"),
        ("ann", "A n-n."),
        ("ann", "Ann \U0001f3b2"),
        ("ann", "Ann\ufe0f"),
        ("lucy", "Iucy"),
        ("lucy", "1ucy"),
        ("lucy", "|ucy"),
        ("otto", "0tt0"),
        ("marnie", "mamie"),
        ("will", "vvill"),
        ("Ian", "lan"),
        ("Ian", "IAN"),
        ("\u039d\u0399\u039a\u039f\u03a3", "\u03bd\u03af\u03ba\u03bf\u03c2"),  # ΝΙΚΟΣ, νίκος
        ("stra\u00dfe", "STRASSE"),
        ("\u2605\u2605", "\u2605 \u2605"),
    ],
)
def test_names_that_look_alike_share_a_key(one, other):
    assert alike(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("ann", "anna"),
        ("ian", "lan"),
        ("ann2", "ann3"),
        ("\u0410\u043d\u043d\u0430", "Anna"),  # Анна is read otherwise
        ("\u304b", "\u304c"),  # か, が: the mark is the letter
        ("\u0928\u092e", "\u0928\u092e\u0947"),  # नम, नमे: the mark is a vowel
        ("\u2605", "\u2606"),
        ("", "  "),
    ],
)
def test_names_that_can_be_told_apart_share_none(one, other):
    assert not alike(one, other)


def test_a_key_fits_into_the_database_however_long_the_name_becomes():
    assert {len(key) for key in name_keys("\ufdfa" * 60)} == {LONGEST_KEY}  # ﷺ is 18 letters


# Staff -------------------------------------------------------------------------------------------

OFFICIAL = [
    *("moderator", "moderators", "staff", "security", "hosts", "official", "pli-team", "PLI"),
    *("m0derator", "m0d3rat0r", "rnoderator", "moderator2", "mod-erator", "adm1n", "5taff"),
    *("pli.support", "admin_team", "ann-moderator", "0fficial", "ho5t", "mod", "mod3"),
    *("moderateur", "administratrice", "equipe", "officiel"),
]


@pytest.mark.parametrize("username", OFFICIAL)
def test_nobody_signs_up_as_staff(client, username):
    assert "This name is reserved" in sign_up(client, username).text
    assert not User.objects.filter(email="dora@example.org").exists()


@pytest.mark.parametrize(
    "name",
    [
        *OFFICIAL,
        "Ann (moderator)",
        "M\u043ederator",
        "Mod\u00e9ratrice Lise",
        "\U0001d40cod",
        "P l i",
        "\uff30li 1",
    ],
)
def test_nobody_displays_a_name_of_staff(client, ann, name):
    client.force_login(ann)
    assert "This name is reserved" in rename(client, name).text
    assert User.objects.get(pk=ann.pk).display_name == ""


@pytest.mark.parametrize(
    "name", ["Staffan", "Badminton", "Pil", "Ghost", "Modest", "Helper", "Rooted", "Plinius", "7"]
)
def test_names_that_only_contain_such_letters_are_free(name):
    refuse_reserved(name)


def test_the_sites_own_name_is_reserved(settings):
    settings.SITE_NAME = "Club de Lyon"
    with pytest.raises(ValidationError):
        refuse_reserved("club-de-1yon")
    refuse_reserved("lyon")


def test_the_sentence_is_there_in_french(client, bob):
    client.force_login(bob)
    assert "Ce nom est réservé" in rename(client, "staff", language="fr").text


# Two people --------------------------------------------------------------------------------------


@pytest.mark.parametrize("username", ["ann", "ANN", "Ann.", "a-n-n", "an_n"])
def test_nobody_signs_up_with_a_name_that_looks_like_a_user_name(client, ann, username):
    assert "field-error" in sign_up(client, username).text
    assert not User.objects.filter(email="dora@example.org").exists()


def test_nobody_signs_up_with_a_name_that_looks_like_a_display_name(client):
    PersonFactory(username="someone", display_name="Anna L\u00e9e")
    answer = sign_up(client, "Anna.Lee")
    assert "Somebody has this name, or one that looks like it." in answer.text
    assert not User.objects.filter(email="dora@example.org").exists()


@pytest.mark.parametrize("name", ["Jo March", "J\u043e March", "jo-rnarch", "JO  MARCH \u2605"])
def test_two_people_have_no_display_names_that_look_alike(client, ann, name):
    PersonFactory(username="someone", display_name="Jo March")
    client.force_login(ann)
    assert "Somebody has this name, or one that looks like it." in rename(client, name).text
    assert User.objects.get(pk=ann.pk).display_name == ""


def test_the_refusal_is_there_in_french(client, ann, bob):
    client.force_login(bob)
    page = rename(client, "\u0410nn", language="fr").text
    assert "Quelqu’un a déjà ce nom ou un nom qui lui ressemble." in page


def test_a_display_name_may_look_like_ones_own_user_name(client, ann):
    client.force_login(ann)
    assert rename(client, "\u00c1nn").status_code == 302
    assert rename(client, "Ann!").status_code == 302


def test_a_name_that_was_given_up_is_free_again(client, ann, bob):
    client.force_login(ann)
    assert rename(client, "Jo March").status_code == 302
    assert rename(client, "Beth").status_code == 302
    client.force_login(bob)
    assert rename(client, "Jo March").status_code == 302
    assert set(TakenName.objects.filter(user=bob).values_list("key", flat=True)) == {
        "bob",
        *name_keys("Jo March"),
    }


@pytest.mark.parametrize(
    "name", ["practice", "Practice Partner", "second-practice-partner", "Partenaire d'Entrainement"]
)
def test_nobody_looks_like_a_practice_partner_in_any_language(client, ann, name):
    client.force_login(ann)
    assert "Choose another one." in rename(client, name).text
    assert User.objects.get(pk=ann.pk).display_name == ""


@pytest.mark.parametrize("name", ["B\u043eb", "staff"])
def test_hosts_give_no_such_display_name(client, ann, bob, name):
    root = ModeratorFactory(username="keeper")
    client.force_login(root)
    path = reverse("admin:accounts_user_account", args=[ann.pk])
    page = client.post(path, {"display_name": name, "is_active": "on", "why": "asked for it"})
    assert page.status_code == 200
    assert User.objects.get(pk=ann.pk).display_name == ""


@pytest.mark.parametrize("name", ["bob.", "b0b", "moderator-ann", "staff2"])
def test_moderators_give_no_such_user_name(ann, bob, now, name):
    mod = StaffFactory(username="mod", role="Moderators")
    with refused(errors.BadNewName, "That name cannot be used", status=422):
        people.rename_user(person_id=ann.pk, by=mod, username=name, why="x", now=now)
    assert User.objects.get(pk=ann.pk).username == "ann"


@pytest.mark.parametrize("name", ["bob", "b0b"])
def test_no_account_is_made_with_such_a_name_on_the_command_line(bob, name):
    with pytest.raises(CommandError):
        call_command("createsuperuser", username=name, email="x@example.org", interactive=False)
    assert User.objects.filter(email="x@example.org").count() == 0


# People who came by mail -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("called", "username", "display_name"),
    [
        ("B\u043eb", "bb", ""),
        ("Bob", "bob2", ""),
        ("moderator", "eve-adams", ""),
        ("Pli Team", "eve-adams", ""),
        ("\u2605", "eve-adams", "\u2605"),
    ],
)
def test_newcomers_get_no_name_that_looks_like_anothers(bob, called, username, display_name):
    eve = get_or_create_user_for("eve.adams@example.net", name=called, language="en")
    eve.refresh_from_db()
    assert (eve.username, eve.display_name) == (username, display_name)


def test_a_newcomer_whose_name_and_address_are_reserved_gets_another(db):
    made = get_or_create_user_for("support@example.net", name="Staff", language="en")
    assert (made.username, made.display_name) == ("player", "")


# Names that were there before --------------------------------------------------------------------


@pytest.fixture
def older(db):
    """Two people whose names were alike before there was a rule; the first owns the key."""
    first = PersonFactory(username="jo", display_name="Anna")
    second = PersonFactory(username="moderators")
    User.objects.filter(pk=second.pk).update(display_name="Ann\u0430")
    second.refresh_from_db()
    return first, second


def test_a_name_from_before_the_rule_stays_and_other_settings_can_be_saved(client, older):
    _, second = older
    client.force_login(second)
    assert rename(client, second.display_name, time_zone="Europe/Paris").status_code == 302
    kept = User.objects.get(pk=second.pk)
    assert (kept.display_name, kept.time_zone) == ("Ann\u0430", "Europe/Paris")


def test_who_gives_such_a_name_up_cannot_have_it_again(client, older):
    _, second = older
    client.force_login(second)
    assert rename(client, "Beth").status_code == 302
    assert rename(client, "Ann\u0430").status_code == 200
    assert User.objects.get(pk=second.pk).display_name == "Beth"


def test_the_first_user_keeps_the_name_to_themselves(client, ann, older):
    client.force_login(ann)
    assert rename(client, "anna").status_code == 200


# The database ------------------------------------------------------------------------------------


def test_the_database_has_a_key_once(ann, bob):
    with pytest.raises(IntegrityError), transaction.atomic():
        TakenName.objects.create(user=bob, key="ann")


def test_a_name_that_is_not_saved_is_not_taken(ann, bob):
    bob.display_name = "Ann"
    with pytest.raises(NameTaken):
        bob.save()
    assert User.objects.get(pk=bob.pk).display_name == ""
    bob.display_name = "Jo"
    bob.save(update_fields=["language"])
    assert not TakenName.objects.filter(key="jo").exists()
    bob.save(update_fields=["display_name"])
    assert TakenName.objects.get(key="jo").user == bob


def test_hosts_changes_are_refused_by_name_where_somebody_was_faster(ann, bob, now):
    """The form found the name free; the service asks the database."""
    host = StaffFactory(username="host", role="Hosts")
    with refused(errors.BadNewName, "That name cannot be used", status=422):
        roles.change_account(
            person_id=ann.pk,
            by=host,
            changes={"display_name": "b\u043eb"},
            why="x",
            now=now,
        )
