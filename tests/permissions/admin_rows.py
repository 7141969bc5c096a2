"""The table of permissions of the admin: one line for each model, one for each other address."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from django.contrib import admin

from games.models import Outage
from tests.permissions.asking import FACTOR, LOGIN, ONWARDS
from tests.permissions.blanks import (
    club_of_ann,
    entry_of_ann,
    game_of_a_tournament,
    match_of_ann,
    open_tournament_of,
    pair_of_a_season,
    played_challenge,
    rating_of_ann,
    wish_of_ann,
)
from tests.permissions.rows import Outcome, Row

NOBODY: Collection[str] = ()
ROOT = ("root",)
HOSTS = ("hana", "root")
STAFF = ("mona", "hana", "root")


def for_staff(who: Collection[str], outcome: Outcome, others: Outcome = 403) -> tuple[Outcome, ...]:
    """Return an outcome for some of the staff, another for the rest; nobody else comes in."""
    return (LOGIN, LOGIN, LOGIN, FACTOR, *(outcome if one in who else others for one in STAFF))


@dataclass(frozen=True)
class Model:
    """Who may do what with the rows of one model, and what a form that is sent is answered."""

    see: Collection[str]
    add: Collection[str] = NOBODY
    change: Collection[str] = NOBODY
    delete: Collection[str] = NOBODY
    sent: Outcome = 200
    """The forms ask for more than is sent, unless this says ONWARDS."""
    changed: Outcome = 0
    """What the form of one row is answered, where it asks for less than the form of a new one."""


MODELS = {
    #                                   see   add   change   delete
    "account_emailaddress": Model(ROOT, ROOT, ROOT, ROOT),
    "accounts_user": Model(STAFF, HOSTS),
    "auth_group": Model(ROOT, ROOT, ROOT, ROOT, sent=ONWARDS),
    "games_moderationlogentry": Model(STAFF),
    "games_announcement": Model(STAFF, HOSTS, HOSTS),
    "games_entrant": Model(STAFF),
    "games_club": Model(STAFF),
    "games_clubmatch": Model(STAFF),
    "games_event": Model(STAFF),
    "games_game": Model(STAFF),
    "games_ladder": Model(STAFF),
    "games_ladderchallenge": Model(STAFF),
    "games_ladderplace": Model(STAFF),
    "games_leaguegame": Model(STAFF),
    "games_message": Model(STAFF),
    "games_outage": Model(STAFF),
    "games_rating": Model(STAFF),
    "games_report": Model(STAFF),
    "games_round": Model(STAFF),
    "games_seasonentry": Model(STAFF),
    "games_sitepage": Model(STAFF, HOSTS, HOSTS, changed=ONWARDS),
    "games_tournament": Model(STAFF),
    "games_tournamentgame": Model(STAFF),
    "games_wish": Model(STAFF),
    "mfa_authenticator": Model(ROOT, NOBODY, ROOT, ROOT, sent=ONWARDS),
    "notifications_addressstate": Model(STAFF),
    "notifications_incomingmail": Model(STAFF),
    "notifications_mailpreference": Model(HOSTS),
    "notifications_notice": Model(STAFF),
    "usersessions_usersession": Model(ROOT),
}


ADDRESSES = {"games_moderationlogentry": "games/act"}
"""Where the address has kept a model's former name."""


MADE = {
    "games_entrant": lambda site: game_of_a_tournament(site).first_id,
    "games_ladder": lambda site: played_challenge(site).ladder_id,
    "games_ladderchallenge": lambda site: played_challenge(site).pk,
    "games_ladderplace": lambda site: played_challenge(site).ladder.places.first().pk,
    "games_club": lambda site: club_of_ann(site).pk,
    "games_clubmatch": lambda site: match_of_ann(site)[0],
    "games_leaguegame": pair_of_a_season,
    "games_rating": rating_of_ann,
    "games_round": lambda site: game_of_a_tournament(site).round_id,
    "games_seasonentry": entry_of_ann,
    "games_tournament": lambda site: open_tournament_of(site)[0],
    "games_tournamentgame": lambda site: game_of_a_tournament(site).pk,
    "games_wish": lambda site: wish_of_ann(site)[0],
}
"""What makes a row that the site has not, and returns its key."""


def of_models() -> Iterator[Row]:
    """Yield the rows of every list that is in MODELS."""
    for name, who in MODELS.items():
        start = f"admin:{name}"
        see = for_staff(who.see, 200)
        yield Row(f"{start}_changelist", see, see)
        yield Row(f"{start}_history", see, see, _one_of(name))
        yield Row(f"{start}_add", for_staff(who.add, 200), for_staff(who.add, who.sent))
        changed = for_staff(who.change, who.changed or who.sent)
        yield Row(f"{start}_change", see, changed, _one_of(name))
        gone = for_staff(who.delete, ONWARDS)
        yield Row(f"{start}_delete", for_staff(who.delete, 200), gone, _one_of(name))
        led_on = for_staff(STAFF, ONWARDS)
        folder = ADDRESSES.get(name, name.replace("_", "/"))
        yield Row(f"admin/{folder}/<path:object_id>/", led_on, led_on, _one_of(name))


def _one_of(name: str) -> Any:
    def blanks(site: Any) -> list[int]:
        if name == "accounts_user":
            return [site.dan.pk]
        if make := MADE.get(name):
            return [make(site)]
        models = (one.model for one in admin.site._registry.values())
        model = next(one for one in models if one._meta.label_lower.replace(".", "_") == name)
        return [model._default_manager.order_by("pk").last().pk]

    return blanks


def _report(site: Any) -> int:
    """Return the key of the report about a message at the private game."""
    return site.private_message.reports.get().pk


def _game_of_a_season(site: Any) -> list[Any]:
    pair_of_a_season(site)
    return [site.public.pk, "annul"]


def _place_on_a_ladder(site: Any) -> list[Any]:
    return [played_challenge(site).ladder.places.first().pk, "remove"]


def _outage_without_lost_games(site: Any) -> list[int]:
    outage = Outage.objects.create(
        kind=Outage.Kind.GAP,
        began_at=site.private.created_at,
        ended_at=site.private.created_at + timedelta(seconds=1),
        noted_at=site.private.created_at,
    )
    return [outage.pk]


def _entering(staff: Outcome) -> tuple[Outcome, ...]:
    return (LOGIN, 403, 403, FACTOR, *[staff] * 3)


def _leaving(staff: Outcome) -> tuple[Outcome, ...]:
    return (*[ONWARDS] * 3, FACTOR, *[staff] * 3)


REFUSED = for_staff(NOBODY, 200)
SEEN = for_staff(STAFF, 200)
DONE = for_staff(STAFF, ONWARDS)
HOSTS_FORM = for_staff(HOSTS, 200)
HOSTS_DONE = for_staff(HOSTS, ONWARDS)

ROWS = [
    *of_models(),
    Row("admin:index", SEEN, SEEN),
    Row("admin:app_list", SEEN, SEEN, lambda site: ["games"]),
    Row("admin:jsi18n", SEEN, for_staff(STAFF, 405)),
    Row("admin:login", _entering(ONWARDS), _entering(200), head=_entering(200)),
    Row("admin:logout", _leaving(405), _leaving(200)),
    Row("admin:password_change", SEEN, SEEN),
    Row("admin:password_change_done", SEEN, for_staff(STAFF, 405)),
    Row("admin:autocomplete", REFUSED, for_staff(STAFF, 405)),
    Row("admin:view_on_site", for_staff(STAFF, 404), for_staff(STAFF, 404), lambda site: [1, 1]),
    Row("admin/(?P<url>.*)$", for_staff(STAFF, 404), for_staff(STAFF, 404)),
    Row("admin:games_game_do", SEEN, DONE, lambda site: [site.public.pk, "verify"], "public"),
    Row("admin:games_game_do", SEEN, DONE, lambda site: [site.private.pk, "verify"], "private"),
    Row("admin:games_game_do", SEEN, DONE, _game_of_a_season, "annul"),
    Row("admin:games_game_change", SEEN, REFUSED, lambda site: [site.private.pk], "private"),
    Row("admin:games_seasonentry_do", SEEN, DONE, lambda site: [entry_of_ann(site), "remove"]),
    Row("admin:games_leaguegame_do", SEEN, DONE, lambda site: [pair_of_a_season(site), "annul"]),
    Row("admin:games_ladderplace_do", SEEN, DONE, _place_on_a_ladder),
    Row("admin:games_rating_hints", SEEN, REFUSED),
    Row("admin:games_club_do", SEEN, DONE, lambda site: [club_of_ann(site).pk, "close"]),
    Row("admin:games_message_do", SEEN, DONE, lambda site: [site.message.pk, "hide-message"]),
    Row(
        "admin:games_message_change",
        SEEN,
        REFUSED,
        lambda site: [site.private_message.pk],
        "private",
    ),
    Row("admin:games_report_do", SEEN, DONE, lambda site: [_report(site), "take"]),
    Row("admin:games_report_change", SEEN, REFUSED, lambda site: [_report(site)], "private"),
    Row("admin:games_moderationlogentry_verify", SEEN, DONE),
    Row("admin:games_outage_declare", HOSTS_FORM, HOSTS_FORM),
    Row("admin:games_outage_close", HOSTS_FORM, HOSTS_DONE),
    Row("admin:games_outage_open", HOSTS_FORM, HOSTS_FORM),
    Row("admin:games_outage_lost", HOSTS_DONE, HOSTS_DONE, _outage_without_lost_games),
    Row("admin:accounts_user_do", SEEN, DONE, lambda site: [site.dan.pk, "warn"]),
    Row("admin:accounts_user_account", HOSTS_FORM, HOSTS_DONE, lambda site: [site.dan.pk]),
    Row("admin:auth_user_password_change", REFUSED, REFUSED, lambda site: [site.dan.pk]),
]
