"""The URLs of tables, games, players' settings and rulebooks."""

from django.urls import path

from games.views import actions, conduct, games, invitations, site, tables, time

urlpatterns = [
    path("", tables.home, name="home"),
    path("tables/", tables.lobby, name="lobby"),
    path("tables/new/", tables.new_table, name="new_table"),
    path("games/<int:pk>/", games.game, name="game"),
    path("games/<int:pk>/turns/<int:number>/", games.game_turn, name="game_turn"),
    path("games/<int:pk>/preview/", games.preview, name="game_preview"),
    path("games/<int:pk>/news/", games.news, name="game_news"),
    path("games/<int:pk>/play/", games.play, name="game_play"),
    path("games/<int:pk>/resign/", actions.resign, name="game_resign"),
    path("games/<int:pk>/abort/", actions.abort, name="game_abort"),
    path("games/<int:pk>/wait/win/", actions.win_unreached, name="game_win_unreached"),
    path("games/<int:pk>/wait/abort/", actions.abort_unreached, name="game_abort_unreached"),
    path("games/<int:pk>/offer/", actions.offer, name="game_offer"),
    path("games/<int:pk>/offer/pause/", actions.offer_pause, name="game_offer_pause"),
    path("games/<int:pk>/offer/pace/", actions.offer_pace, name="game_offer_pace"),
    path("games/<int:pk>/resume/", actions.resume, name="game_resume"),
    path("games/<int:pk>/more-time/", actions.grant_time, name="game_grant_time"),
    path("games/<int:pk>/offer/answer/", actions.answer_offer, name="game_answer_offer"),
    path("games/<int:pk>/rematch/", actions.rematch, name="game_rematch"),
    path("games/<int:pk>/say/", actions.say, name="game_say"),
    path("games/<int:pk>/mute/", conduct.mute, name="game_mute"),
    path("games/<int:pk>/join/", tables.join, name="table_join"),
    path("games/<int:pk>/claim/", tables.claim, name="seat_claim"),
    path("games/<int:pk>/leave/", tables.leave, name="table_leave"),
    path("games/<int:pk>/withdraw/", tables.withdraw, name="table_withdraw"),
    path("games/<int:pk>/ask/", tables.ask, name="table_ask"),
    path("challenges/<int:pk>/", invitations.answer, name="challenge_answer"),
    path("invitations/<str:token>/", invitations.by_link, name="invitation"),
    path("invitations/<str:token>/answer/", invitations.answer_by_link, name="invitation_answer"),
    path("conduct/warnings/read/", conduct.read_warnings, name="warnings_read"),
    path("people/<int:pk>/block/", conduct.block, name="block"),
    path("report/<slug:what>/<int:pk>/", conduct.report, name="report"),
    path("settings/conduct/", conduct.your_conduct, name="your_conduct"),
    path(
        "announcements/<slug:mark>/dismiss/", site.dismiss_announcement, name="announcement_dismiss"
    ),
    path("outages/", site.outages, name="outages"),
    path("settings/time/", time.your_time, name="your_time"),
    path("settings/time/week/", time.week, name="time_week"),
    path("settings/time/reminders/", time.reminders, name="time_reminders"),
    path("settings/time/automatic/", time.automatic, name="time_automatic"),
    path("settings/time/vacations/", time.announce, name="vacation_announce"),
    path("settings/time/vacations/<int:pk>/end/", time.end, name="vacation_end"),
    path("settings/time/vacations/<int:pk>/cancel/", time.cancel, name="vacation_cancel"),
    path("rules/", site.rules_index, name="rules_index"),
    path("rules/<slug:slug>/", site.rulebook, name="rules_page"),
]
