"""The lines of a message that are commands by themselves: they are for us, and not passed on."""

from notifications.mail_parser import (
    Command,
    Condition,
    NotUnderstood,
    SayCommand,
    TurnCommand,
    parse_command,
)

_SAID = (TurnCommand, NotUnderstood, Condition)
"""What may be said to an opponent as it is; conditions have been left out already."""


def without_commands(message: str) -> tuple[str, tuple[str, ...]]:
    """Return a message without the lines that are commands, and those lines.

    "note he is weak on the left" below a turn must not reach him. Of “say hello” the words stay.
    """
    said: list[str] = []
    withheld: list[str] = []
    for line in message.splitlines():
        command, _below = parse_command([line])
        if isinstance(command, SayCommand):
            said.append(command.text)
        elif isinstance(command, _SAID) or command in (Command.YES, Command.NO):
            said.append(line)
        else:
            withheld.append(line)
    return "\n".join(said), tuple(withheld)
