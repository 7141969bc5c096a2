"""The table of permissions: one line for each address of the pages, or one for each kind of game.

To add an address, add one line:

    Row("name", GET and HEAD, POST, BLANKS)

`name` is the pattern's, with its namespace ("admin:index"); a pattern without a name goes by its
route. What everybody is answered is one outcome for all, or one for each of `WHO`, in that order:
a status, LOGIN or FACTOR (led there), ONWARDS (led elsewhere: something was done). BLANKS is needed
only where the address has any: it takes the site (tests/sample_site.py) and returns arguments for
`reverse`. All other methods are answered with 405 everywhere. The admin's own lists have a table of
their own, with one line a model: admin_rows.py.
"""

from django.core import signing

from games.models import Announcement
from games.services.invitations import link_token
from games.services.site_status import dismissal_key
from notifications.services.unsubscribe import unsubscribe_token
from tests.permissions.asking import FACTOR, LOGIN, ONWARDS
from tests.permissions.blanks import (
    club_letters_token,
    first_season,
    league_of_morpion,
    public_game,
    puzzle_day,
    table_link_of,
    webhook_of,
    wish_of_ann,
)
from tests.permissions.competition_rows import COMPETITION_ROWS
from tests.permissions.row import MEMBERS, NOT_SAFE, Outcome, Row, members

#          nobody  cat  ann  bare  mona  hana
PRIVATE = (404, 404, 200, 404, 200, 200)
PRIVATE_FORM = (LOGIN, 404, 200, 404, 200, 200)


def at_games(name: str, player: Outcome, others: Outcome = 403) -> list[Row]:
    """Return the rows of something to do at a public game, and at a private one."""
    public = (LOGIN, others, player, others, others, others)
    private = (LOGIN, 404, player, 404, others, others)
    return [
        Row(name, NOT_SAFE, public, lambda site: [site.public.pk], "public"),
        Row(name, NOT_SAFE, private, lambda site: [site.private.pk], "private"),
    ]


def at_tables(name: str, creator: Outcome, kept: Outcome, others: Outcome = 403) -> list[Row]:
    """Return the rows of something to do at a public table, and at a private one.

    `kept` is what the creator is answered at the private one, whose free seat is kept for bob.
    """
    public = (LOGIN, others, creator, others, others, others)
    private = (LOGIN, 404, kept, 404, 403, 403)
    return [
        Row(name, NOT_SAFE, public, lambda site: [site.open_table.pk], "open table"),
        Row(name, NOT_SAFE, private, lambda site: [site.private_table.pk], "private table"),
    ]


def of_analyses(name: str, player: Outcome) -> list[Row]:
    """Return the rows of something to do at a player's analysis of a running game."""
    public = (LOGIN, 403, player, 403, 403, 403)
    private = (LOGIN, 404, player, 404, 404, 404)
    return [
        Row(name, NOT_SAFE, public, lambda site: [site.public.pk], "public"),
        Row(name, NOT_SAFE, private, lambda site: [site.private.pk], "private"),
    ]


def of_account(name: str) -> Row:
    """Return the row of a page for whoever is signed out."""
    led_on = (200, *[ONWARDS] * 5)
    return Row(name, led_on, led_on)


SENT = {
    "text": "9",
    "expected_turn": "2",
    "answer": "accept",
    "until": "tomorrow",
    "whom": "player",
    "name": "cat",
    "days": "7",
    "pace": "3",
    "seat": "1",
    "reason": "abuse",
    "do": "mute",
    "why": "somebody complained",
    "confirmed": "yes",
    "root": "2",
    "act": "join",
    "entry": "0",
}
"""What is sent to every address by POST: what makes the player's own acts succeed, where they can.
In the games it is ann's turn."""

#                nobody  cat      ann      bare     mona     hana
HAS_FACTOR = (LOGIN, ONWARDS, ONWARDS, ONWARDS, 200, 200)
HAS_NO_FACTOR = (LOGIN, 200, FACTOR, 200, ONWARDS, ONWARDS)
LOSES_FACTOR = (LOGIN, 404, 404, 404, FACTOR, FACTOR)
ADDS_PASSKEY = (LOGIN, 200, FACTOR, 200, 200, 200)


GAME_READS = ("game", "position", "entries", "record")
GAME_ACTS = (
    *("turns", "check", "undo", "resign", "abort", "drop_plan", "join", "leave", "withdraw"),
    *("accept", "decline", "rematch"),
)
GAME_BOTH = ("offers", "plans", "notes", "messages", "challenge")
"""The API's routes about a game, a table or a challenge, by what they take."""


ROWS = [
    Row("healthz", 200, 405),
    Row("service_worker", 200, 405),
    Row("web_manifest", 200, 405),
    Row("offline", 200, 405),
    Row("readyz", 200, 405),
    Row("metrics", 404, 405),
    Row("security_txt", 404, 405),
    Row("home", 200, 405),
    Row("next_game", (LOGIN, *[ONWARDS] * 5), NOT_SAFE),
    Row("finished_games", MEMBERS, NOT_SAFE),
    Row("lobby", 200, 405),
    Row("new_table", MEMBERS, MEMBERS),
    Row("check_record", 200, 422),
    Row("outages", 200, 405),
    Row("time_help", 200, 405),
    *COMPETITION_ROWS,
    Row("puzzles", 200, 405),
    Row("puzzle", 200, 405, puzzle_day),
    Row("puzzle_answer", 405, 422, puzzle_day),
    Row("about", 200, 405),
    Row("privacy", 200, 405),
    Row("contact", 200, 405),
    Row("rules_index", 200, 405),
    Row("rules_page", 200, 405, lambda site: ["morpion"]),
    Row("rules_position", 200, 405, lambda site: ["morpion"]),
    Row(
        "announcement_dismiss",
        405,
        ONWARDS,
        lambda site: [dismissal_key(Announcement.objects.get())],
    ),
    Row("choose_language", 405, ONWARDS),
    Row("set_language", ONWARDS, ONWARDS),
    # Games -------------------------------------------------------------------------------------
    Row("game", 200, 405, lambda site: [site.public.pk], "public"),
    Row("game", PRIVATE, 405, lambda site: [site.private.pk], "private"),
    Row("game", 200, 405, lambda site: [site.open_table.pk], "open table"),
    Row("game", PRIVATE, 405, lambda site: [site.private_table.pk], "private table"),
    Row("board_image", 404, 405, lambda site: [site.public.pk, 1, "x", "en", "0" * 20]),
    Row("game_picture", ONWARDS, 405, lambda site: [site.public.pk, 1, "en", "0" * 20], "public"),
    Row("game_picture", 404, 405, lambda site: [site.private.pk, 1, "en", "0" * 20], "private"),
    Row("certificate", 404, 405, lambda site: [1, "en", "0" * 20, "png"]),
    Row("preview_picture", 404, 405, lambda site: ["site", "en", "0" * 20]),
    Row("shown_image", 404, 405, lambda site: [1, "en", "0" * 20]),
    Row("example_image", 404, 405, lambda site: ["taquet", "en", "0" * 20]),
    # It wants the name of a game, which makes "new_table" answer otherwise.
    Row("play_now", 405, 422),
    Row("game_turn", 200, 405, lambda site: [site.public.pk, 1], "public"),
    Row("game_turn", PRIVATE, 405, lambda site: [site.private.pk, 1], "private"),
    Row("game_replay", 200, 405, lambda site: [site.public.pk], "public"),
    Row("game_replay", PRIVATE, 405, lambda site: [site.private.pk], "private"),
    Row("download_record", 200, 405, lambda site: [site.public.pk], "public"),
    Row("download_record", PRIVATE, 405, lambda site: [site.private.pk], "private"),
    Row("game_feed", 200, 405, lambda site: [site.public.pk], "public"),
    Row("game_feed", 404, 405, lambda site: [site.private.pk], "private"),
    Row("download_animation", 405, 200, lambda site: [site.public.pk], "public"),
    Row("download_animation", 405, PRIVATE, lambda site: [site.private.pk], "private"),
    Row("download_position", 200, 405, lambda site: [site.public.pk, 1, "svg"], "public"),
    Row("download_position", PRIVATE, 405, lambda site: [site.private.pk, 1, "svg"], "private"),
    Row("game_card", 200, 405, lambda site: [site.over.pk], "public"),
    Row("game_card", 404, 405, lambda site: [site.public.pk], "under way"),
    Row("game_card_picture", 200, 405, lambda site: [site.over.pk, "wide"], "public"),
    Row("game_card_picture", 404, 405, lambda site: [site.public.pk, "wide"], "under way"),
    Row(
        "analysis",
        (LOGIN, 403, 200, 403, 403, 403),
        NOT_SAFE,
        lambda site: [site.public.pk],
        "public",
    ),
    Row(
        "analysis",
        (LOGIN, 404, 200, 404, 404, 404),
        NOT_SAFE,
        lambda site: [site.private.pk],
        "private",
    ),
    Row("analysis", MEMBERS, NOT_SAFE, lambda site: [site.over.pk], "over"),
    Row(
        "analysis_node",
        (404, 404, 200, 404, 404, 404),
        405,
        lambda site: [site.public.pk, site.analysed.pk],
        "running",
    ),
    Row("analysis_node", 200, 405, lambda site: [site.over.pk, site.shared.pk], "shared"),
    Row("analyses_shared", 200, 405, lambda site: [site.over.pk], "over"),
    Row("analyses_shared", PRIVATE, 405, lambda site: [site.private.pk], "private"),
    # It wants to know of which position.
    Row(
        "analysis_preview",
        (LOGIN, 403, 404, 403, 403, 403),
        NOT_SAFE,
        lambda site: [site.public.pk],
    ),
    *of_analyses("analysis_play", ONWARDS),
    *of_analyses("analysis_note", ONWARDS),
    *of_analyses("analysis_share", 409),
    Row(
        "analysis_delete",
        NOT_SAFE,
        (LOGIN, 403, ONWARDS, 403, 403, 403),
        lambda site: [site.public.pk, site.analysed.pk],
        "running",
    ),
    Row(
        "analysis_delete",
        NOT_SAFE,
        (LOGIN, 404, ONWARDS, 404, 404, 404),
        lambda site: [site.over.pk, site.shared.pk],
        "shared",
    ),
    Row("game_news", 200, 405, lambda site: [site.public.pk], "public"),
    Row("game_news", PRIVATE, 405, lambda site: [site.private.pk], "private"),
    Row("game_preview", members(409), NOT_SAFE, lambda site: [site.public.pk], "public"),
    Row(
        "game_preview",
        (LOGIN, 404, 409, 404, 409, 409),
        NOT_SAFE,
        lambda site: [site.private.pk],
        "private",
    ),
    *at_games("game_play", ONWARDS),
    *at_games("game_resign", ONWARDS),
    *at_games("game_abort", 409),
    *at_games("game_win_unreached", 409),
    *at_games("game_abort_unreached", 409),
    *at_games("game_offer", 409),
    *at_games("game_offer_pause", ONWARDS),
    *at_games("game_offer_pace", ONWARDS),
    *at_games("game_offer_takeback", ONWARDS),
    *at_games("game_plan", 422),
    *at_games("game_drop_plan", 404),
    *at_games("game_undo", 409),
    *at_games("game_undo_end", 409),
    *at_games("game_resume", 409),
    *at_games("game_grant_time", 403),
    *at_games("game_snooze", ONWARDS),
    *at_games("game_wake", ONWARDS),
    *at_games("game_answer_offer", ONWARDS),
    *at_games("game_rematch", 409),
    *at_games("game_ask_teacher", 409),
    *at_games("game_play_again", 422, others=422),
    *at_games("game_say", ONWARDS),
    *at_games("game_mute", ONWARDS),
    *at_games("seat_claim", 409, others=409),
    *at_tables("table_join", 409, 403, others=ONWARDS),
    *at_tables("table_leave", 409, 409),
    *at_tables("table_withdraw", ONWARDS, ONWARDS),
    *at_tables("table_ask", ONWARDS, 409),
    *at_tables("table_change_link", ONWARDS, 409),
    Row("table_link", (200, 200, ONWARDS, 200, 200, 200), 405, table_link_of),
    Row(
        "table_link_join",
        405,
        (LOGIN, ONWARDS, 409, ONWARDS, ONWARDS, ONWARDS),
        table_link_of,
    ),
    Row("challenge_answer", NOT_SAFE, members(409), lambda site: [site.challenge.pk]),
    Row("invitation", 200, 405, lambda site: [link_token(site.invitation)]),
    Row(
        "invitation_answer",
        405,
        (LOGIN, ONWARDS, 409, ONWARDS, ONWARDS, ONWARDS),
        lambda site: [link_token(site.invitation)],
    ),
    # People ------------------------------------------------------------------------------------
    Row("player_feed", 200, 405, lambda site: [site.ann.username]),
    Row("profile", 200, 405, lambda site: ["ann"]),
    Row("rating_list", 200, 405, lambda site: ["taquet"]),
    Row("rating_history", 200, 405, lambda site: ["mona", "taquet"]),
    Row("people", MEMBERS, NOT_SAFE),
    Row("follow", NOT_SAFE, members(ONWARDS), lambda site: [site.dan.pk]),
    Row("profile_edit", MEMBERS, MEMBERS),
    Row("public_profile", MEMBERS, MEMBERS),
    Row("block", NOT_SAFE, members(ONWARDS), lambda site: [site.dan.pk]),
    Row("your_conduct", MEMBERS, NOT_SAFE),
    Row("warnings_read", NOT_SAFE, members(ONWARDS)),
    Row("report", MEMBERS, members(ONWARDS), lambda site: ["player", site.dan.pk], "player"),
    Row(
        "report",
        MEMBERS,
        (LOGIN, ONWARDS, 409, ONWARDS, ONWARDS, ONWARDS),
        lambda site: ["game", site.public.pk],
        "public game",
    ),
    Row(
        "report",
        PRIVATE_FORM,
        (LOGIN, 404, ONWARDS, 404, ONWARDS, ONWARDS),
        lambda site: ["game", site.private.pk],
        "private game",
    ),
    Row(
        "report",
        PRIVATE_FORM,
        (LOGIN, 404, ONWARDS, 404, ONWARDS, ONWARDS),
        lambda site: ["message", site.message.pk],
        "message at a public game",
    ),
    Row(
        "report",
        PRIVATE_FORM,
        (LOGIN, 404, 409, 404, ONWARDS, ONWARDS),
        lambda site: ["message", site.private_message.pk],
        "message at a private game",
    ),
    # Programs ----------------------------------------------------------------------------------
    Row("programs", MEMBERS, NOT_SAFE),
    Row("create_token", NOT_SAFE, members(422)),
    Row("revoke_token", NOT_SAFE, members(404), lambda site: [1]),
    Row("create_program", NOT_SAFE, members(422)),
    Row("program_settings", members(404), members(404), lambda site: [site.ann.pk]),
    Row("delete_program", NOT_SAFE, members(404), lambda site: [site.ann.pk]),
    Row("api_reference", 200, 405),
    Row("api_errors", 200, 405),
    Row("api_error", 200, 405, lambda site: ["StaleTurn"]),
    # The API, asked with a session: what tokens can do is said in api_rows.py.
    Row("api:openapi-json", 200, 405),
    Row("api:api-root", 404, 404),
    *(Row(f"api:{name}", 401, 405) for name in ("me", "games", "challenges", "rules", "me_turns")),
    *(Row(f"api:{name}", 405, 401) for name in ("me_accepts",)),
    Row("api:tables", 401, 401),
    Row("api:wishes", 401, 401),
    Row("api:ratings", 401, 405, lambda site: ["taquet"]),
    Row("api:player_ratings", 401, 405, lambda site: ["ann"]),
    Row("api:player_rating_history", 401, 405, lambda site: ["ann", "taquet"]),
    Row("api:leagues", 401, 405),
    Row("api:season", 401, 405, first_season),
    Row("api:act_in_league", 405, 401, lambda site: [*league_of_morpion(site), "join"]),
    Row("api:league_partner", 405, 401, league_of_morpion),
    Row("api:withdraw_wish", 405, 401, wish_of_ann),
    Row("api:puzzle_today", 401, 405),
    Row("api:puzzle_answer", 405, 401, puzzle_day),
    *(Row(f"api:{name}", 401, 405, public_game) for name in GAME_READS),
    *(Row(f"api:{name}", 405, 401, public_game) for name in GAME_ACTS),
    *(Row(f"api:{name}", 401, 401, public_game) for name in GAME_BOTH),
    Row("api:offer_answer", 405, 401, lambda site: [site.public.pk, 1]),
    # Time --------------------------------------------------------------------------------------
    Row("your_time", MEMBERS, NOT_SAFE),
    Row("time_week", NOT_SAFE, members(ONWARDS)),
    Row("time_reminders", NOT_SAFE, members(ONWARDS)),
    Row("time_automatic", NOT_SAFE, members(ONWARDS)),
    Row("vacation_announce", NOT_SAFE, members(422)),
    Row(
        "vacation_end",
        NOT_SAFE,
        (LOGIN, 404, 409, 404, 404, 404),
        lambda site: [site.vacation.pk],
    ),
    Row(
        "vacation_cancel",
        NOT_SAFE,
        (LOGIN, 404, ONWARDS, 404, 404, 404),
        lambda site: [site.vacation.pk],
    ),
    Row("calendar_feed", NOT_SAFE, members(ONWARDS)),
    Row("calendar", 200, 405, lambda site: [site.feed]),
    # Mail --------------------------------------------------------------------------------------
    Row("mail_preferences", MEMBERS, MEMBERS),
    Row("try_address", NOT_SAFE, members(ONWARDS)),
    Row(
        "address_again",
        200,
        200,
        lambda site: [signing.dumps("gone@elsewhere.example", salt="notifications.try-again")],
    ),
    Row("club_letters", 200, 200, lambda site: [club_letters_token(site)]),
    Row("unsubscribe", 200, 200, lambda site: [unsubscribe_token(site.ann, "offer")]),
    # The letterbox, where there is none: test_the_dev_inbox_is_everybodys_where_there_is_one.
    Row("letterbox", 404, 404),
    Row("letterbox_mail", 404, 404, lambda site: ["x"]),
    Row("letterbox_html", 404, 404, lambda site: ["x"]),
    Row("letterbox_reply", 404, 404, lambda site: ["x"]),
    Row("letterbox_source", 404, 404, lambda site: ["x"]),
    # Notifications in browsers -----------------------------------------------------------------
    Row("notifications", MEMBERS, NOT_SAFE),
    Row("notifications_on", NOT_SAFE, members(422)),
    Row("notifications_off", NOT_SAFE, members(404)),
    Row("notifications_test", NOT_SAFE, members(404)),
    # Webhooks ----------------------------------------------------------------------------------
    Row("webhooks", MEMBERS, NOT_SAFE),
    Row("webhook_add", NOT_SAFE, members(422)),
    Row(
        "webhook_test",
        NOT_SAFE,
        (LOGIN, 404, ONWARDS, 404, 404, 404),
        lambda site: [webhook_of(site.ann)],
    ),
    Row(
        "webhook_secret",
        NOT_SAFE,
        (LOGIN, 404, 200, 404, 404, 404),
        lambda site: [webhook_of(site.ann)],
    ),
    Row(
        "webhook_on",
        NOT_SAFE,
        (LOGIN, 404, ONWARDS, 404, 404, 404),
        lambda site: [webhook_of(site.ann)],
    ),
    Row(
        "webhook_remove",
        NOT_SAFE,
        (LOGIN, 404, ONWARDS, 404, 404, 404),
        lambda site: [webhook_of(site.ann)],
    ),
    # Data --------------------------------------------------------------------------------------
    Row("your_data", MEMBERS, members(ONWARDS)),
    Row("your_data_file", members(404), NOT_SAFE),
    #                                     nobody cat  ann  bare mona hana
    Row("delete_account", MEMBERS, (LOGIN, 422, 422, 403, 403, 403)),
    Row("keep_account", NOT_SAFE, members(409)),
    # Accounts (allauth) ------------------------------------------------------------------------
    of_account("account_login"),
    of_account("account_signup"),
    of_account("account_request_login_code"),
    Row("account_confirm_login_code", members(ONWARDS), members(ONWARDS)),
    Row("account_logout", (ONWARDS, *[200] * 5), ONWARDS),
    Row("account_inactive", 200, 405),
    Row("reauthenticate_by_code", members(ONWARDS), members(ONWARDS)),
    Row("sign_ins", MEMBERS, NOT_SAFE),
    Row("account_reauthenticate", MEMBERS, MEMBERS),
    Row("account_email", MEMBERS, members(ONWARDS)),
    Row("account_email_verification_sent", members(ONWARDS), members(ONWARDS)),
    Row("account_change_password", MEMBERS, MEMBERS),
    Row("account_set_password", members(ONWARDS), members(ONWARDS)),
    Row("account_reset_password", 200, 200),
    Row("account_reset_password_done", 200, 405),
    Row("account_reset_password_from_key", 200, 200, lambda site: ["1", "x-y"]),
    Row("account_reset_password_from_key_done", 200, 405),
    Row("usersessions_list", MEMBERS, members(ONWARDS)),
    Row("mfa_index", MEMBERS, NOT_SAFE),
    Row("mfa_authenticate", members(ONWARDS), members(ONWARDS)),
    # Ann has an address that is not confirmed, mona and hana have a second factor.
    Row("mfa_reauthenticate", HAS_FACTOR, HAS_FACTOR),
    Row("mfa_activate_totp", HAS_NO_FACTOR, HAS_NO_FACTOR),
    Row("mfa_deactivate_totp", (LOGIN, 404, 404, 404, 200, 200), LOSES_FACTOR),
    Row("mfa_view_recovery_codes", members(404), NOT_SAFE),
    Row("mfa_generate_recovery_codes", MEMBERS, (LOGIN, 200, 200, 200, ONWARDS, ONWARDS)),
    Row("mfa_download_recovery_codes", members(404), members(404)),
    Row("mfa_list_webauthn", MEMBERS, NOT_SAFE),
    Row("mfa_add_webauthn", ADDS_PASSKEY, ADDS_PASSKEY),
    Row("mfa_reauthenticate_webauthn", members(ONWARDS), members(ONWARDS)),
    Row("mfa_remove_webauthn", members(404), members(404), lambda site: [1]),
    Row("mfa_edit_webauthn", members(404), members(404), lambda site: [1]),
    Row("mfa_login_webauthn", members(ONWARDS), members(ONWARDS)),
]
