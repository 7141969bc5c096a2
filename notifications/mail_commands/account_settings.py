"""Settings by mail: the same as on the pages of the account and of its mail."""

import re
from collections.abc import Callable, Mapping

from django.conf import settings
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.forms import ProfileForm
from accounts.models import Language, User
from accounts.users import lock_user
from accounts.zones import known_zones
from notifications import errors as mail_errors
from notifications.emails.formatting import plain
from notifications.kinds.base import kind_of
from notifications.mail_commands.context import CommandContext, CommandResult, handles
from notifications.mail_commands.questions import ASKS, order_question, try_out
from notifications.mail_parser import Command, MailCommand, SettingCommand
from notifications.mail_parser.phrases import fold
from notifications.models import DAILY, Cadence, Kind
from notifications.outbox.scheduling import reschedule
from notifications.services.preferences import (
    cadences_of,
    digest_schedule_of,
    gets_puzzles,
    save_digest_schedule,
    set_cadence,
    subscribe_to_puzzles,
)

_ON = frozenset({"on", "yes", "oui", "avec", "with"})
_OFF = frozenset({"off", "no", "non", "none", "sans", "without", "never", "jamais"})
_HOUR = re.compile(r"(?:at |a |daily at )?([01]?\d|2[0-3]) ?(?:h|:|h?00|:00|o'clock|heures?)?")


@handles(Command.SETTINGS, only_reads=True)
def handle_settings(command: MailCommand, context: CommandContext) -> CommandResult:
    """Send the settings, each with the line that changes it."""
    user = context.require_user()
    schedule = digest_schedule_of(user)
    digest = _("no digest")
    if schedule.digest_every == DAILY:
        digest = _("once a day at %(hour)s") % {"hour": f"{schedule.digest_hour:02}:00"}
    elif schedule.digest_every:
        hours = ngettext("every %(count)d hour", "every %(count)d hours", schedule.digest_every)
        digest = hours % {"count": schedule.digest_every}
    yes_or_no = {True: _("yes"), False: _("no")}
    rows = [
        (_("Name"), plain(user), _("name Anna")),
        (_("Language"), user.get_language_display(), _("language fr")),
        (_("Time zone"), user.time_zone, _("zone Europe/Paris")),
        (_("Digest"), digest, _("digest 8h, digest off")),
        (
            _("The puzzle of the day"),
            yes_or_no[gets_puzzles(user)],
            _("puzzle, puzzle off"),
        ),
        (_("Pictures in mails"), yes_or_no[user.mail_pictures], _("pictures off, pictures on")),
        (
            _("A mail that my turn was played"),
            yes_or_no[user.mail_confirmations],
            _("confirmations off, confirmations on"),
        ),
    ]
    listing = "\n".join(f"{label}: {value}\n    {line}" for label, value, line in rows)
    here = _("These are your settings. Reply with the line below one to change it.")
    more = _("“quiet” and “loud” send you fewer mails and all mails. All settings: %(url)s") % {
        "url": settings.SITE_URL + reverse("mail_preferences")
    }
    return CommandResult(True, (here, more), listing=listing, title=_("Your settings"))


@handles(SettingCommand)
def handle_setting(command: SettingCommand, context: CommandContext) -> CommandResult:
    """Change one setting. Raises SettingHow, and BadSetting for what the page would refuse."""
    user = lock_user(context.require_user().pk)
    said = _CHANGES[command.setting](user, command.value.strip(), context)
    answered = context.require_user()
    for field in ("display_name", "language", "time_zone", "mail_pictures", "mail_confirmations"):
        setattr(answered, field, getattr(user, field))
    with translation.override(user.language):
        return CommandResult(True, (said(),), title=_("Your settings"))


def _save_profile(user: User, context: CommandContext, **changed: str) -> None:
    """Save what the page of the account saves. Raises BadSetting with the form's sentences."""
    fields = {name: getattr(user, name) for name in ProfileForm.Meta.fields}
    form = ProfileForm(fields | changed, instance=user)
    if not form.is_valid():
        why = " ".join(str(error) for errors in form.errors.values() for error in errors)
        raise mail_errors.BadSetting(why=why)
    form.save_at(context.now)


Said = Callable[[], str]
"""Returns what was done, in the language that is active then: it may have changed."""


def set_language(user: User, value: str, context: CommandContext) -> Said:
    """Set the language of pages and mails: its code, or its name in any language."""
    names = {code: code for code in Language.values}
    for shown_in in Language.values:
        with translation.override(shown_in):
            names |= {fold(str(language.label)): language.value for language in Language}
    code = names.get(fold(value))
    if code is None:
        raise mail_errors.SettingHow(how=_("“language en” or “language fr”"))
    _save_profile(user, context, language=code)
    return lambda: _("From now on we write to you in English.")


def set_zone(user: User, value: str, context: CommandContext) -> Said:
    """Set the time zone: its name, or only the city."""
    wanted = fold(value).replace(" ", "_")
    found = [zone for zone in known_zones() if fold(zone) == wanted]
    found = found or [zone for zone in known_zones() if fold(zone).rpartition("/")[2] == wanted]
    if not found:
        raise mail_errors.SettingHow(how=_("“zone Europe/Paris”, or another continent and city"))
    _save_profile(user, context, time_zone=min(found, key=lambda zone: (len(zone), zone)))
    return lambda: _("Times are shown in the time zone %(zone)s.") % {"zone": user.time_zone}


def set_name(user: User, value: str, context: CommandContext) -> Said:
    """Set the name that others see."""
    if not value:
        raise mail_errors.SettingHow(how=_("“name Anna”"))
    _save_profile(user, context, display_name=value)
    return lambda: _("You are called %(name)s now.") % {"name": plain(user)}


def set_digest(user: User, value: str, context: CommandContext) -> Said:
    """Let what can come in a digest come in it, or at once."""
    plain_value = " ".join(fold(value).split())
    hour = _HOUR.fullmatch(plain_value)
    if plain_value not in _OFF and hour is None:
        raise mail_errors.SettingHow(how=_("“digest 8h” or “digest off”"))
    schedule = digest_schedule_of(user)
    save_digest_schedule(
        user=user,
        later_hours=schedule.later_hours,
        digest_every=DAILY if hour else None,
        digest_hour=int(hour[1]) if hour else schedule.digest_hour,
        now=context.now,
    )
    before, after = Cadence.DIGEST, Cadence.AT_ONCE
    if hour:
        before, after = Cadence.AT_ONCE, Cadence.DIGEST
        set_cadence(user=user, kind=Kind.DIGEST, cadence=Cadence.AT_ONCE)
    for kind, cadence in cadences_of(user).items():
        if cadence == before and after in kind_of(kind).cadences:
            set_cadence(user=user, kind=kind, cadence=after)
    reschedule(user, now=context.now)
    if hour is None:
        return lambda: _("There is no digest any more: its mails come at once.")
    clock = f"{int(hour[1]):02}:00"
    return lambda: _("Your mails come in a digest, once a day at %(hour)s.") % {"hour": clock}


def set_puzzle(user: User, value: str, context: CommandContext) -> Said:
    """Send the puzzle of the day, or no longer."""
    if _is_on(value, _("“puzzle” or “puzzle off”")):
        subscribe_to_puzzles(user=user, now=context.now)
        hour = f"{digest_schedule_of(user).digest_hour:02}:00"
        return lambda: (
            _("You get the puzzle of the day by mail, each day at %(hour)s.") % {"hour": hour}
        )
    set_cadence(user=user, kind=Kind.PUZZLE, cadence=Cadence.OFF)
    return lambda: _("You get no more puzzles by mail.")


def set_pictures(user: User, value: str, context: CommandContext) -> Said:
    """Switch pictures of boards in mails on or off."""
    user.mail_pictures = _is_on(value, _("“pictures off” or “pictures on”"))
    user.save(update_fields=["mail_pictures"])
    if user.mail_pictures:
        return lambda: _("Mails have pictures of the boards.")
    return lambda: _("Mails have no pictures: they show boards as text.")


def set_confirmations(user: User, value: str, context: CommandContext) -> Said:
    """Switch the mail about a turn that was played by mail on or off."""
    user.mail_confirmations = _is_on(value, _("“confirmations off” or “confirmations on”"))
    user.save(update_fields=["mail_confirmations"])
    if user.mail_confirmations:
        return lambda: _("You get a mail when a turn that you sent is played.")
    return lambda: _(
        "A turn that you send is played without a mail. What cannot be done is still answered."
    )


def _is_on(value: str, how: str) -> bool:
    """Return whether a setting is switched on or off. Raises SettingHow."""
    if fold(value) not in _ON | _OFF:
        raise mail_errors.SettingHow(how=how)
    return fold(value) in _ON


_CHANGES: Mapping[str, Callable[[User, str, CommandContext], Said]] = {
    "language": set_language,
    "zone": set_zone,
    "name": set_name,
    "digest": set_digest,
    "puzzle": set_puzzle,
    "pictures": set_pictures,
    "confirmations": set_confirmations,
}


def ask_about_name(command: SettingCommand, context: CommandContext) -> CommandResult | None:
    """Return the question about a new name; None for the other settings, which are never talk."""
    if command.setting != "name":
        return None
    user = context.require_user()
    before = user.display_name
    try_out(command, context, lambda result: None)
    user.display_name = before
    would = _("Your opponents would see you as %(name)s.") % {"name": plain(command.value)}
    return order_question(f"name {command.value}", context, would)


ASKS[SettingCommand] = ask_about_name
