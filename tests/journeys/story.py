"""What two people live through together, however they use their browsers."""

from playwright.sync_api import expect

from tests.journeys.people import day_in
from tests.journeys.taquet_line import LAST_BOARD, LINE


def meet(host, guest):
    """The host signs up and invites the guest, who follows the mail and signs up to sit down."""
    host.page.goto("/")
    host.open("Sign up")
    host.sign_up()
    host.invite(guest.address)
    invitation = guest.letterbox.next()
    assert invitation.header("X-Pli-Kind") == "invitation"
    assert host.name in invitation.subject
    guest.follow(invitation)
    link = guest.page.url
    guest.open("Sign up and play")
    guest.sign_up()
    assert guest.page.url == link  # next= came through the form, the mail and the code
    guest.press("Accept and sit down")
    expect(guest.page.locator(".game-verdict")).to_contain_text(host.name)


def begin(host, guest):
    """Both hear that their game has begun; the host comes by the letter's button."""
    for person, other in ((host, guest), (guest, host)):
        letter = person.read_letter("game-begun")
        assert other.name in letter.text
        assert letter.picture_width() > 0
        if person is host:
            person.follow(letter)
        else:
            letter.page.close()
    host.is_to_move()


def read_turn_letter(person, other, turn):
    """Read the mail about a turn that `other` has played, and follow it to the game."""
    letter = person.read_letter("your-turn")
    said = person.words("%(name)s %(does)s.", name=other.name, does=turn.in_words(person))
    subject = "%(game)s with %(names)s (game %(number)s)"
    number = person.number_of_game()
    values = {"game": "Taquet", "names": other.name, "number": number}
    assert letter.subject == person.words(subject, **values)
    assert said in letter.text
    assert day_in(person.language).search(letter.text)
    assert letter.picture_width() > 0
    text = letter.text
    person.follow(letter)
    person.is_to_move()
    assert person.text_board() in text


def reload_shows_the_same(person):
    """What a page shows after a turn is what stands in the database."""
    before = person.sees()
    person.page.reload()
    assert person.sees() == before


def end(winner, loser):
    """Both pages and both letters say how it ended."""
    expect(winner.page.locator(".game-verdict")).to_have_text(_won(winner, winner))
    assert winner.sees()[1] == [turn.notation for turn in LINE]
    headlines = {
        winner: winner.words("You have won"),
        loser: loser.words_for_one("%(name)s has won", "%(name)s have won", name=winner.name),
    }
    for person, headline in headlines.items():
        letter = person.read_letter("game-over")
        assert headline in letter.text
        assert LAST_BOARD in letter.text
        assert letter.picture_width() > 0
        person.follow(letter)
    expect(loser.page.locator(".game-verdict")).to_have_text(_won(loser, winner))


def _won(reader, winner):
    if reader is winner:
        return reader.words("You won.")
    lost = "You lost: %(names)s won."
    return reader.words_for_one(lost, lost, names=winner.name)


def play_again(winner, loser):
    """The loser asks for a rematch, the winner accepts, and now the loser begins."""
    assert loser.players() == [winner.name, loser.name]
    loser.press("Ask for a rematch")
    challenge = winner.read_letter("challenge")
    assert loser.name in challenge.text
    winner.follow(challenge)
    winner.press("Accept and sit down")
    expect(winner.page.locator(".game-verdict")).to_contain_text(loser.name)
    assert winner.players() == [loser.name, winner.name]
    loser.follow(loser.read_letter("game-begun"))
    loser.is_to_move()
    assert loser.sees()[1] == []
