"""Mail about an account. Its text is made when it is written: a code is known only then."""

from collections.abc import Sequence
from datetime import datetime
from typing import cast

from notifications.emails.base import InlineImageEmail
from notifications.kinds.base import Content, MailKind, Purpose
from notifications.kinds.registry import Kind
from notifications.models import Notice


class AccountContent(Content, total=False):
    """The whole mail."""

    subject: str
    text: str
    html: str


class Forgotten(Exception):
    """What an account mail said is not kept once it was sent or given up."""


class AccountMail(MailKind):
    """Codes, links and changes of an account (`services.account` writes them)."""

    kind = Kind.ACCOUNT
    has_fixed_address = True
    can_be_switched_off = False
    cadences = ()
    can_wait = False
    can_be_sent_again = False
    reply_purpose = Purpose.NOTHING

    def compose(
        self, notice: Notice, other_news: Sequence[str], *, now: datetime
    ) -> InlineImageEmail:
        content = cast(AccountContent, notice.content)
        if "text" not in content:
            raise Forgotten("the text of an account mail is kept only until it is sent")
        return self.build_email(notice, content["subject"], content["text"], content["html"])


KIND = AccountMail()
