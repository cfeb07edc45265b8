"""The second factor of staff: codes of an authenticator app, and recovery codes (django-otp).

A right password alone signs nobody in who has one: the session then holds no sign-in, but whose code it
waits for. django-otp makes each further wrong code wait longer, whatever its address.
"""

import time
from base64 import b32encode
from collections.abc import Mapping
from typing import Any

from django.conf import settings
from django.contrib.auth.backends import BaseBackend
from django.contrib.sessions.backends.base import SessionBase
from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.http import HttpRequest
from django.utils.crypto import constant_time_compare
from django_otp import DEVICE_ID_SESSION_KEY
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

from playtest.people.models import Staff
from playtest.people.record.links import link_rows
from playtest.rules.qr import dark_runs

RECOVERY_CODES = 10
SECONDS_FOR_THE_CODE = 10 * 60
_AWAITED = "awaits_code"


def is_missing(staff: Staff, session: SessionBase) -> bool:
    """Whether this account has to set up a second factor before it may do anything else."""
    return settings.SECOND_FACTOR_REQUIRED and staff.is_sensitive and DEVICE_ID_SESSION_KEY not in session


def with_state(accounts: QuerySet[Staff]) -> QuerySet[Staff]:
    """The accounts, each with `has_second_factor`."""
    devices = TOTPDevice.objects.filter(user=OuterRef("pk"), confirmed=True)
    return accounts.annotate(has_second_factor=Exists(devices))


def device_of(staff: Staff, *, confirmed: bool = True) -> TOTPDevice | None:
    """The authenticator app of an account, or the one that is being set up."""
    found: TOTPDevice | None = TOTPDevice.objects.filter(user=staff, confirmed=confirmed).first()
    return found


def recovery_codes_left(staff: Staff) -> int:
    """How many recovery codes were not used yet."""
    return int(StaticToken.objects.filter(device__user=staff).count())


@transaction.atomic
def begin(staff: Staff) -> None:
    """Makes the secret that an authenticator app reads, unless one waits for its first code."""
    Staff.objects.select_for_update(no_key=True).get(pk=staff.pk)
    if device_of(staff) is None:
        TOTPDevice.objects.get_or_create(user=staff, confirmed=False, defaults={"name": "app"})


@transaction.atomic
def confirm(staff: Staff, code: str) -> tuple[TOTPDevice, list[str]] | None:
    """Puts the app in force by its first code, and returns new recovery codes; None for a wrong code."""
    device = TOTPDevice.objects.select_for_update().filter(user=staff, confirmed=False).first()
    if device is None or not device.verify_token(_plain(code)):
        return None
    device.confirmed = True
    device.save(update_fields=["confirmed"])
    codes = [StaticToken.random_token() for _ in range(RECOVERY_CODES)]
    recovery = StaticDevice.objects.create(user=staff, name="recovery")
    made = StaticToken.objects.bulk_create(StaticToken(device=recovery, token=one) for one in codes)
    link_rows(StaticToken, [one.pk for one in made])
    return device, [f"{one[:4]} {one[4:]}" for one in codes]


def remove(staff: Staff) -> bool:
    """Removes the app and the recovery codes; False if there were none."""
    StaticDevice.objects.filter(user=staff).delete()
    return bool(TOTPDevice.objects.filter(user=staff).delete()[0])


def await_code(request: HttpRequest, staff: Staff) -> None:
    """Notes that this browser knows the password of an account."""
    request.session[_AWAITED] = [staff.pk, staff.get_session_auth_hash(), time.time() + SECONDS_FOR_THE_CODE]


def awaited(session: Mapping[str, Any] | SessionBase) -> Staff | None:
    """The account whose code this browser may enter; None after ten minutes, or if it was changed."""
    pk, stored, until = session.get(_AWAITED, (None, "", 0))
    staff = Staff.objects.filter(pk=pk, is_active=True).first()
    if staff is None or not time.time() < until:
        return None
    return staff if constant_time_compare(stored, staff.get_session_auth_hash()) else None


class CodeBackend(BaseBackend):
    """Signs in whose code this browser may enter; wrong codes count as wrong passwords do (axes)."""

    def authenticate(
        self, request: HttpRequest | None, second_factor_token: str = "", **credentials: Any
    ) -> Staff | None:
        staff = awaited(request.session) if request is not None and second_factor_token else None
        if staff is None or staff.get_username() != credentials.get("username"):
            return None
        code = _plain(second_factor_token)
        model = TOTPDevice if len(code) == TOTP_DIGITS else StaticDevice
        with transaction.atomic():
            device = model.objects.select_for_update().filter(user=staff, confirmed=True).first()
            if device is None or not device.verify_token(code):
                return None
        staff.otp_device = device
        return staff


TOTP_DIGITS = 6


def _plain(code: str) -> str:
    """A code without the spaces and hyphens that make it readable."""
    return "".join(code.split()).replace("-", "").lower()


def secret_of(device: TOTPDevice) -> str:
    """The secret as it is typed into an app, in groups of four."""
    text = b32encode(device.bin_key).decode()
    return " ".join(text[at : at + 4] for at in range(0, len(text), 4))


def picture_of(device: TOTPDevice) -> dict[str, Any]:
    """The secret as a QR code: its `size` in modules, 4 of them margin, and the `path` of the dark ones."""
    size, runs = dark_runs(device.config_url)
    return {"size": size, "path": "".join(f"M{x} {y}h{length}v1h-{length}z" for x, y, length in runs)}
