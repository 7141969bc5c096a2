"""The addresses of tables, games and rulebooks."""

from django.urls import path

from games.views import actions, games, invitations, rulebooks, tables

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
    path("games/<int:pk>/offer/", actions.offer, name="game_offer"),
    path("games/<int:pk>/offer/answer/", actions.answer_offer, name="game_answer_offer"),
    path("games/<int:pk>/rematch/", actions.rematch, name="game_rematch"),
    path("games/<int:pk>/join/", tables.join, name="table_join"),
    path("games/<int:pk>/leave/", tables.leave, name="table_leave"),
    path("games/<int:pk>/withdraw/", tables.withdraw, name="table_withdraw"),
    path("games/<int:pk>/ask/", tables.ask, name="table_ask"),
    path("challenges/<int:pk>/", invitations.answer, name="challenge_answer"),
    path("invitations/<str:token>/", invitations.by_link, name="invitation"),
    path("invitations/<str:token>/answer/", invitations.answer_by_link, name="invitation_answer"),
    path("rules/", rulebooks.index, name="rules_index"),
    path("rules/<slug:slug>/", rulebooks.rulebook, name="rules_page"),
]
