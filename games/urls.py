"""The addresses of tables, games and rulebooks."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
