"""The demonstration: who lives there, and what games they have."""

import pytest
from allauth.account.models import EmailAddress
from django.core.management import CommandError, call_command
from django.urls import reverse

from accounts.models import User
from config import demo
from games.models import Game, Invitation
from games.rules.registry import all_rules
from games.services import invitations, thinking
from games.services.record import faults_of

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


@pytest.fixture
def seeded(settings, now):
    settings.DEVELOPMENT = True
    assert demo.seed(now=now) is True


@pytest.mark.usefixtures("seeded")
def test_what_lives_there(now):
    four_people_can_sign_in_with_verified_addresses()
    every_game_is_going_on_with_ann_to_move_in_one_and_bob_in_another(now)
    there_is_a_finished_game_an_open_table_and_a_challenge_to_ann()
    a_second_time_changes_nothing(now)


def four_people_can_sign_in_with_verified_addresses():
    people = User.objects.filter(is_bot=False)
    assert set(people.values_list("username", flat=True)) == {"ann", "bob", "cat", "moderator"}
    for person in people:
        assert person.check_password(f"pli-{person.username}")
        assert EmailAddress.objects.get(user=person).verified
    assert people.get(username="bob").language == "fr"
    assert not [person.username for person in people if person.is_superuser]


@pytest.mark.usefixtures("seeded")
def test_the_moderator_sees_the_pages_of_moderators_and_hosts(client, settings):
    settings.STAFF_NEEDS_TWO_FACTORS = False
    client.force_login(User.objects.get(username="moderator"))
    pages = ["index", "games_game_changelist", "games_report_changelist"]
    for page in [*pages, "games_announcement_add", "accounts_user_add"]:
        assert client.get(reverse(f"admin:{page}")).status_code == 200, page


def to_move(game):
    return game.seats.get(number=game.seat_to_move).user.username


def every_game_is_going_on_with_ann_to_move_in_one_and_bob_in_another(now):
    for rules in all_rules():
        running = Game.objects.filter(status=Game.Status.ACTIVE, rules_slug=rules.slug)
        assert {"ann", "bob"} <= {to_move(game) for game in running}
        for game in running.exclude(seats__user__is_bot=True):
            assert game.turn_number > 0
            assert game.deadline > now
            assert faults_of(game) == []


def there_is_a_finished_game_an_open_table_and_a_challenge_to_ann():
    finished = Game.objects.get(status=Game.Status.FINISHED)
    assert all(seat.place for seat in finished.seats.all())
    assert Game.objects.filter(status=Game.Status.OPEN, is_public=True).count() == 1
    challenge = Invitation.objects.get(user__username="ann")
    assert (challenge.by.username, challenge.state) == ("cat", Invitation.State.OPEN)


@pytest.mark.usefixtures("seeded")
def test_the_practice_partner_sits_down_at_anns_table_when_asked(now):
    thinking.play_for_bots(now=now)
    practice = Game.objects.get(seats__user=invitations.practice_partner())
    assert practice.status == Game.Status.ACTIVE
    assert to_move(practice) == "ann"


def a_second_time_changes_nothing(now):
    before = Game.objects.count(), User.objects.count()
    assert demo.seed(now=now) is False
    assert (Game.objects.count(), User.objects.count()) == before


def test_somebody_who_lives_there_already_is_left_in_peace(settings, now, ann):
    settings.DEVELOPMENT = True
    assert demo.seed(now=now) is False
    assert list(User.objects.filter(is_bot=False)) == [ann]


def test_without_make_run_it_refuses(now):
    with pytest.raises(demo.NoDemonstration):
        demo.seed(now=now)
    with pytest.raises(CommandError, match="make run"):
        call_command("demo")
    assert not User.objects.filter(is_bot=False).exists()
