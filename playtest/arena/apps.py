"""Starts the room."""

from django.apps import AppConfig


class ArenaConfig(AppConfig):
    name = "playtest.arena"
