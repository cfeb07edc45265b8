"""API keys: creates, changes and revokes them, and says what each did. A secret is returned once."""

import logging
import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from hashlib import sha256
from typing import Any

from django.db import transaction
from django.db.models import Case, Count, F, Max, Min, OuterRef, Subquery, Sum, When
from django.db.models.functions import Coalesce

from playtest.arena.models import ApiKey, KeyChange, KeyDay, Play, Run, Scorecard
from playtest.people.models import Staff
from playtest.play.clock import machine_now
from playtest.play.errors import Refusal
from playtest.play.models import Entry
from playtest.serve import deployment
from playtest.studio.models import Environment, ReleaseSet

logger = logging.getLogger(__name__)

PER_MINUTE = 600
"""Requests a minute of a key that has no other limit, as at the official server."""
MOST_PER_MINUTE = 1_000_000
LONGEST_NAME = 100
LOCAL = "This machine, without a key"
"""The name of the key of requests on this machine that have none, made with the first of them."""
SHORTEST_SECRET = 20
"""Of a chosen secret on a server that others can reach; there is no limit on who tries how often."""
SETS = tuple(chosen for chosen in ReleaseSet if chosen != ReleaseSet.NONE)
_SECRET_BYTES = 24
LONGEST_SECRET = 200
_HINT = 4
_LAST_SEQ = Entry.objects.filter(attempt=OuterRef("attempt")).order_by("-seq").values("seq")[:1]
# An attempt stores how many actions it has when it ends. Entry 0 is its opening frame.
_ACTIONS = Case(
    When(attempt__ended_at__isnull=False, then=F("attempt__actions")),
    default=Coalesce(Subquery(_LAST_SEQ), 0),
)


def hash_of(secret: str) -> str:
    """The SHA-256 of a secret, as 64 hex characters. Secrets are random and long, so they need no salt."""
    return sha256(secret.encode(errors="surrogatepass")).hexdigest()


def key_of(secret: str) -> ApiKey | None:
    """The key with this secret; None if there is none or it is revoked."""
    return ApiKey.objects.filter(key_hash=hash_of(secret), revoked_at=None).first()


def local_key() -> ApiKey | None:
    """The key of whoever asks on this machine without one; None once it is revoked."""
    found = ApiKey.objects.filter(name=LOCAL).order_by("-pk").first() or create_key(LOCAL)[0]
    return None if found.revoked_at else found


def create_key(
    name: str,
    sets: Iterable[str] = (ReleaseSet.PUBLIC,),
    per_minute: int = PER_MINUTE,
    staff: Staff | None = None,
    secret: str = "",
) -> tuple[ApiKey, str]:
    """Creates a key for these release sets; returns it and its secret, which is not stored.

    `per_minute` is the most requests a minute, on average; without a `secret` one is drawn.
    Refusal (400): name_missing, name_too_long, set_missing, set_unknown, limit_invalid, secret_unsafe,
    secret_taken.
    """
    # Hexadecimal: a secret can be selected by a double click, and never begins with a hyphen.
    secret = _checked_secret(secret) if secret else secrets.token_hex(_SECRET_BYTES)
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


def _checked_secret(secret: str) -> str:
    if (
        len(secret) > LONGEST_SECRET
        or not (secret.isascii() and secret.isprintable())
        or secret.strip() != secret
    ):
        message = f"A key has at most {LONGEST_SECRET} printable ASCII characters, and no blank at its ends."
        raise Refusal("secret_unsafe", message, status=400)
    if deployment.public() and len(secret) < SHORTEST_SECRET:
        message = f"Others can reach this server: a chosen key needs at least {SHORTEST_SECRET} characters."
        raise Refusal("secret_unsafe", message, status=400)
    if ApiKey.objects.filter(key_hash=hash_of(secret)).exists():
        raise Refusal(
            "secret_taken", "A key has this value already, or had it before it was revoked.", status=400
        )
    return secret


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


@dataclass(frozen=True)
class KeyUse:
    """A key with how much it was used. `used_at` is the last use of its cards, up to a few seconds late.

    `requested_on` is the day (UTC) of its last request, of a card or not.
    """

    key: ApiKey
    cards: int
    used_at: datetime | None
    runs: int
    environments: int
    requests: int
    refused: int
    requested_on: date | None
    actions: int

    @property
    def used_on(self) -> date | None:
        """The day of its last request, if that is after the last use of its cards."""
        is_later = (
            self.used_at is None or self.requested_on is None or self.requested_on > self.used_at.date()
        )
        return self.requested_on if is_later else None


@dataclass(frozen=True)
class Seen:
    """An environment that a key saw, in a set that it was in when the runs began."""

    key: ApiKey
    environment: Environment
    release_set: str
    runs: int
    actions: int
    first_at: datetime
    last_at: datetime

    @property
    def release_set_label(self) -> str:
        return ReleaseSet(self.release_set).label


def uses() -> list[KeyUse]:
    """Every key with its use: those in use by name, then the revoked ones."""
    keys = ApiKey.objects.select_related("created_by", "revoked_by")
    return _with_use(sorted(keys, key=lambda one: one.revoked_at is not None))


def use_of(key: ApiKey) -> KeyUse:
    [found] = _with_use([key])
    return found


def seen(key: ApiKey | None = None) -> list[Seen]:
    """Which environments a key, or every key, saw in which set; by environment and key."""
    runs, plays = ({"card__key": key}, {"run__card__key": key}) if key else ({}, {})
    rows = (
        Run.objects.filter(**runs)
        .values_list("environment", "card__key", "release_set")
        .annotate(Count("pk"), Min("started_at"), Max("started_at"))
    )
    actions = _actions_by("run__environment", "run__card__key", "run__release_set", **plays)
    keys, environments = ApiKey.objects.in_bulk(), Environment.objects.in_bulk()
    found = [
        Seen(
            keys[owner],
            environments[environment],
            release_set,
            count,
            actions.get((environment, owner, release_set), 0),
            *moments,
        )
        for environment, owner, release_set, count, *moments in rows
    ]
    return sorted(found, key=lambda one: (one.environment.code, one.key.name, one.key.pk, one.first_at))


def _with_use(keys: Sequence[ApiKey]) -> list[KeyUse]:
    chosen = [key.pk for key in keys]
    counted = (
        Scorecard.objects.filter(key__in=chosen).values_list("key").annotate(Count("pk"), Max("used_at")),
        Run.objects.filter(card__key__in=chosen)
        .values_list("card__key")
        .annotate(Count("pk"), Count("environment", distinct=True)),
        KeyDay.objects.filter(key__in=chosen)
        .values_list("key")
        .annotate(Sum("requests"), Sum("refused"), Max("day")),
    )
    cards, runs, requests = ({key: found for key, *found in rows.order_by()} for rows in counted)
    actions = _actions_by("run__card__key", run__card__key__in=chosen)
    return [
        KeyUse(
            key,
            *(
                *cards.get(key.pk, (0, None)),
                *runs.get(key.pk, (0, 0)),
                *requests.get(key.pk, (0, 0, None)),
                actions.get((key.pk,), 0),
            ),
        )
        for key in keys
    ]


def _actions_by(*columns: str, **chosen: Any) -> dict[tuple[Any, ...], int]:
    """How many actions the plays of runs have, also those in progress, by these columns of `Play`."""
    plays = Play.objects.filter(**chosen).order_by().annotate(of_play=_ACTIONS)
    rows = plays.values(*columns).annotate(total=Sum("of_play")).values_list(*columns, "total")
    return {row[:-1]: row[-1] for row in rows}
