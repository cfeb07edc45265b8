"""Stations, and which of them are connected."""

from django.conf import settings
from django.db import models
from django.db.models import Q

from playtest.play.clock import machine_now

MOST_NUMBER = 9999
REHEARSAL_ROOM = "Rehearsal"
FIRST_OF_REHEARSALS = 9001
"""The stations of simulated people have the numbers from here on; staff cannot create them."""


class Station(models.Model):
    """One seat of a room, known by its number for good; `play.Session.station` is that number.

    `token_hash` is set while a browser is registered as this station (`play.sessions.seats`). `code_hash` is
    set while a registration code is valid, which works once and before `code_expires_at`. Times are the
    machine's, also in a rehearsal.
    """

    number = models.PositiveSmallIntegerField(unique=True)
    room = models.CharField(max_length=40)
    notes = models.CharField(max_length=200, blank=True)
    code_hash = models.CharField(max_length=64, blank=True)
    code_expires_at = models.DateTimeField(null=True)
    token_hash = models.CharField(max_length=64, blank=True)
    registered_at = models.DateTimeField(null=True)
    created_at = models.DateTimeField(default=machine_now)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    retired_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["code_hash"], condition=~Q(code_hash=""), name="registration_code_is_unique"
            ),
            models.UniqueConstraint(
                fields=["token_hash"], condition=~Q(token_hash=""), name="device_token_is_unique"
            ),
        ]

    def __str__(self) -> str:
        return f"station {self.number}"

    @property
    def registered(self) -> bool:
        return bool(self.token_hash)


class StationPresence(models.Model):
    """Whether the page of an idle station is connected (`center.stations.queries`).

    `connected_at` is None while it is not; `seen_at` is when the server last knew.
    """

    station = models.OneToOneField(
        Station, on_delete=models.CASCADE, primary_key=True, related_name="presence"
    )
    connection = models.CharField(max_length=100)
    connected_at = models.DateTimeField(null=True)
    seen_at = models.DateTimeField()
