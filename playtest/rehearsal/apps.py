"""Rehearsals: simulated people who play as real ones do."""

from django.apps import AppConfig


class RehearsalConfig(AppConfig):
    name = "playtest.rehearsal"
