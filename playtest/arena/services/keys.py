"""API keys: creates, changes and revokes them. A secret is returned once; only its hash is stored."""

import logging
import secrets
from collections.abc import Iterable, Mapping
from datetime import date

from django.db import transaction
from django.db.models import F

from playtest.arena.models import ApiKey, KeyChange, KeyDay
from playtest.arena.queries.keys import hash_of
from playtest.people.models import Staff
from playtest.play.clock import machine_now
from playtest.play.errors import Refusal
from playtest.studio.models.environments import ReleaseSet

logger = logging.getLogger(__name__)

PER_MINUTE = 600
"""Requests a minute of a key that has no other limit, as at the official server."""
MOST_PER_MINUTE = 1_000_000
LONGEST_NAME = 100
SETS = tuple(chosen for chosen in ReleaseSet if chosen != ReleaseSet.NONE)
_SECRET_BYTES = 24
_HINT = 4


def create_key(
    name: str,
    sets: Iterable[str] = (ReleaseSet.PUBLIC,),
    per_minute: int = PER_MINUTE,
    staff: Staff | None = None,
) -> tuple[ApiKey, str]:
    """Creates a key for these release sets; returns it and its secret, which is not stored.

    `per_minute` is the most requests a minute.
    Refusal (400): name_missing, name_too_long, set_missing, set_unknown, limit_invalid.
    """
    # Hexadecimal: a secret can be selected by a double click, and never begins with a hyphen.
    secret = secrets.token_hex(_SECRET_BYTES)
    with transaction.atomic():
        key = ApiKey.objects.create(
            name=_checked_name(name),
            key_hash=hash_of(secret),
            hint=secret[-_HINT:],
            sets=_checked_sets(sets),
            per_minute=_checked_limit(per_minute),
            created_at=machine_now(),
            created_by=staff,
        )
        _record(key, KeyChange.Kind.CREATED, staff)
        _log(key, f"created for {', '.join(key.sets)}, {key.per_minute} requests a minute", staff)
    return key, secret


def change_key(key: ApiKey, *, sets: Iterable[str], per_minute: int, staff: Staff | None) -> ApiKey:
    """Gives a key other sets and another limit. Cards that are open keep the sets that they were opened with.

    Refusal: set_missing, set_unknown, limit_invalid (400), key_revoked (409).
    """
    chosen, limit = _checked_sets(sets), _checked_limit(per_minute)
    with transaction.atomic():
        key = _locked(key)
        key.sets, key.per_minute = chosen, limit
        key.save(update_fields=["sets", "per_minute"])
        _record(key, KeyChange.Kind.CHANGED, staff)
        _log(key, f"changed to {', '.join(chosen)}, {limit} requests a minute", staff)
    return key


def revoke_key(key: ApiKey, staff: Staff | None) -> ApiKey:
    """Makes a key invalid for good; what it did stays. Its open cards close once they are idle.

    Refusal: key_revoked (409).
    """
    with transaction.atomic():
        key = _locked(key)
        key.revoked_at, key.revoked_by = machine_now(), staff
        key.save(update_fields=["revoked_at", "revoked_by"])
        _record(key, KeyChange.Kind.REVOKED, staff)
        _log(key, "revoked", staff)
    return key


def count_requests(day: date, requests: Mapping[int, tuple[int, int]]) -> None:
    """Adds requests of keys (primary keys) on a day (UTC): those that were carried out, and refused ones."""
    with transaction.atomic():
        KeyDay.objects.bulk_create([KeyDay(key_id=key, day=day) for key in requests], ignore_conflicts=True)
        for key, (accepted, refused) in sorted(requests.items()):
            KeyDay.objects.filter(key=key, day=day).update(
                requests=F("requests") + accepted, refused=F("refused") + refused
            )


def _record(key: ApiKey, kind: KeyChange.Kind, staff: Staff | None) -> None:
    KeyChange.objects.create(
        key=key, kind=kind, sets=key.sets, per_minute=key.per_minute, at=machine_now(), staff=staff
    )


def _locked(key: ApiKey) -> ApiKey:
    key = ApiKey.objects.select_for_update().get(pk=key.pk)
    if key.revoked_at:
        raise Refusal("key_revoked", "This key is revoked. Create a new one.")
    return key


def _checked_name(name: str) -> str:
    name = " ".join(name.split())
    if not name:
        raise Refusal("name_missing", "Enter a name that says whose key it is.", status=400)
    if len(name) > LONGEST_NAME:
        raise Refusal("name_too_long", f"A name has at most {LONGEST_NAME} characters.", status=400)
    return name


def _checked_sets(sets: Iterable[str]) -> list[str]:
    """These sets in the order of `ReleaseSet`, each once."""
    chosen = list(sets)
    if not chosen:
        raise Refusal("set_missing", f"Choose at least one set of {_listed()}.", status=400)
    if unknown := [one for one in chosen if one not in SETS]:
        raise Refusal("set_unknown", f"There is no set {unknown[0]!r}. Choose of {_listed()}.", status=400)
    return [one.value for one in SETS if one in chosen]


def _checked_limit(per_minute: int) -> int:
    if not 1 <= per_minute <= MOST_PER_MINUTE:
        raise Refusal(
            "limit_invalid", f"A limit is from 1 to {MOST_PER_MINUTE:,} requests a minute.", status=400
        )
    return per_minute


def _listed() -> str:
    return ", ".join(one.value for one in SETS)


def _log(key: ApiKey, change: str, staff: Staff | None) -> None:
    """A line for the log of the server once the change is committed, without the secret."""
    by = f"staff {staff.pk}" if staff else "nobody signed in"
    transaction.on_commit(lambda: logger.info("API key %d %s, by %s", key.pk, change, by))
