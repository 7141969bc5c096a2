"""Clear-signed mails (RFC 9580, section 7): the text between the lines that PGP puts around it."""

from notifications.mail_parser.lines import MailLine

_BEGIN = "-----BEGIN PGP SIGNED MESSAGE-----"
_SIGNATURE, _END = "-----BEGIN PGP SIGNATURE-----", "-----END PGP SIGNATURE-----"


def without_pgp_lines(lines: list[MailLine]) -> list[MailLine]:
    """Return the lines without a signature's armour; "- " in front of a dash is taken away.

    Quoted lines stay as they are: the armour around a quote is not the sender's.
    """
    if not any(line.text == _BEGIN and not line.quoted for line in lines):
        return lines
    found: list[MailLine] = []
    place = "outside"
    for line in lines:
        if line.quoted:
            found.append(line)
        elif place == "headers":  # "Hash: SHA512", up to a blank line
            place = "text" if not line.text else place
        elif place == "signature":
            place = "outside" if line.text == _END else place
        elif line.text == _BEGIN:
            place = "headers"
        elif line.text == _SIGNATURE:
            place = "signature"
        else:
            is_escaped = place == "text" and line.text.startswith("- -")
            found.append(line._replace(text=line.text[2:]) if is_escaped else line)
    return found
