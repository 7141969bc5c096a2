"""`examples/mail_program.py`, run as a process for each letter, plays whole games by mail alone."""

import subprocess
import sys
from email import message_from_bytes, policy
from email.utils import parseaddr
from pathlib import Path

import pytest
from django.conf import settings

from accounts.models import User
from games.models import Game, Offer
from games.services import invitations
from games.services.offers import offer_end
from games.services.record import faults_of
from tests.games.play import table
from tests.notifications.mail_commands.players_by_mail import text_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

PROGRAM = Path(settings.BASE_DIR) / "examples" / "mail_program.py"
MOST_ROUNDS = 200


def let_program_answer(office, address, letter):
    """Run the program for one letter, as its mail server does; return whether it wrote."""
    came_in = office.received()
    site = parseaddr(settings.DEFAULT_FROM_EMAIL)[1]
    command = [sys.executable, PROGRAM, address, site, f"127.0.0.1:{office.port}"]
    subprocess.run(command, input=letter.as_bytes(), check=True, timeout=60)
    return office.received() > came_in


def play_by_programs(office, addresses):
    """Let programs at these addresses answer their letters until none is left to answer."""
    read = dict.fromkeys(addresses, 0)
    for _ in range(MOST_ROUNDS):
        office.carry()
        fresh = [
            (address, letter)
            for address in addresses
            for letter in office.inboxes.get(address, [])[read[address] :]
        ]
        if not fresh:
            return
        for address, letter in fresh:
            read[address] += 1
            let_program_answer(office, address, letter)
    pytest.fail("the game goes on for ever")


@pytest.mark.parametrize("slug", ["morpion", "taquet", "morpiae"])
def test_two_programs_play_a_whole_game_by_mail(office, ann, bob, slug):
    User.objects.filter(pk__in=[ann.pk, bob.pk]).update(language="en")
    game = table(ann, slug=slug, now=office.now)
    invitations.challenge(game_id=game.pk, by=ann, user=bob, now=office.now)
    play_by_programs(office, [ann.email, bob.email])
    game = Game.objects.get(pk=game.pk)
    assert game.status == Game.Status.FINISHED
    assert faults_of(game) == []
    assert set(game.turns.values_list("via", flat=True)) == {"mail"}


def test_a_program_accepts_an_offer_with_the_yes_that_it_is_asked_for(office, played, ann, bob):
    User.objects.filter(pk=bob.pk).update(language="en")
    offer_end(game_id=played.pk, user=ann, now=office.now)
    office.carry()
    (letter,) = [m for m in office.inboxes[bob.email] if m["X-Pli-Kind"] == "offer"]
    assert let_program_answer(office, bob.email, letter)
    office.carry()
    question = office.newest(bob.email)
    assert "Reply “yes”" in text_of(question)
    assert let_program_answer(office, bob.email, question)
    office.carry()
    assert Offer.objects.get().state == Offer.State.ACCEPTED
    assert Game.objects.get(pk=played.pk).status == Game.Status.FINISHED


def test_a_program_answers_nobody_but_the_site(office, played, ann):
    User.objects.filter(pk=ann.pk).update(language="en")
    letter = office.newest(ann.email)
    forged = message_from_bytes(letter.as_bytes(), policy=policy.default)
    forged.replace_header("From", "somebody@elsewhere.example")
    assert not let_program_answer(office, ann.email, forged)
    assert let_program_answer(office, ann.email, letter)
