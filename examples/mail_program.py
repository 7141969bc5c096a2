"""A whole program that plays by mail alone: it reads one letter of Pli and answers it.

    python3 mail_program.py program@example.org games@pli.example.org smtp.example.org:25 < letter

The three arguments are the program's own address, the address that Pli writes from, and the mail
server that takes its answers. The program's mail server calls it for each letter, for example by a
line in ~/.forward. It needs Python 3.9 or newer and nothing else, and it keeps nothing.

It accepts challenges and offers, and plays one of the examples that every letter about a turn
shows. Change `choose` to make it play well; the answer to “legal” lists every turn.
"""

import random
import re
import smtplib
import sys
from email import message_from_binary_file, policy
from email.message import EmailMessage
from email.utils import make_msgid, parseaddr


def choose(examples):
    """Return the turn to play."""
    return random.choice(examples)


def answer_to(letter):
    """Return the line that answers a letter, None if it needs no answer."""
    kind = letter["X-Pli-Kind"]
    text = " ".join(letter.get_body(("plain",)).get_content().split())
    if kind in ("challenge", "invitation", "offer"):
        return "accept"
    if kind == "answer":  # to what this program wrote: it may ask whether that is meant
        return "yes" if "Reply “yes”" in text else None
    examples = re.search(r"such as (.*?),? on the first line", text)
    if "It is your turn." in text and examples:
        return choose(re.findall("“(.*?)”", examples[1]))
    return None


def main(own, site, server):
    """Read a letter from standard input, and send the answer if it needs one."""
    letter = message_from_binary_file(sys.stdin.buffer, policy=policy.default)
    if parseaddr(letter["From"] or "")[1] != site or not letter["Reply-To"]:
        return
    line = answer_to(letter)
    if line is None:
        return
    answer = EmailMessage(policy=policy.SMTP)
    answer["From"], answer["To"] = own, letter["Reply-To"]
    answer["Subject"] = f"Re: {letter['Subject']}"
    answer["Message-ID"] = make_msgid(domain=own.rpartition("@")[2])
    answer["In-Reply-To"] = letter["Message-ID"]
    answer.set_content(line + "\n")
    host, _, port = server.partition(":")
    with smtplib.SMTP(host, int(port or 25)) as smtp:
        smtp.send_message(answer)


if __name__ == "__main__":
    main(*sys.argv[1:])
