"""What each key did: its cards, runs and actions, and the environments that it saw."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Case, Count, F, Max, Min, OuterRef, Subquery, Sum, When
from django.db.models.functions import Coalesce

from playtest.arena.models import ApiKey, KeyDay, Play, Run, Scorecard
from playtest.play.models import Entry
from playtest.studio.models import Environment, ReleaseSet

_LAST_SEQ = Entry.objects.filter(attempt=OuterRef("attempt")).order_by("-seq").values("seq")[:1]
# An attempt stores how many actions it has when it ends. Entry 0 is its opening frame.
_ACTIONS = Case(
    When(attempt__ended_at__isnull=False, then=F("attempt__actions")),
    default=Coalesce(Subquery(_LAST_SEQ), 0),
)


@dataclass(frozen=True)
class KeyUse:
    """A key with how much it was used. `used_at` is the last use of its cards, up to a few seconds late."""

    key: ApiKey
    cards: int
    environments: int
    runs: int
    actions: int
    used_at: datetime | None
    requests: int = 0
    refused: int = 0


@dataclass(frozen=True)
class CardUse:
    """A scorecard, with how many environments were played on it and with how many actions."""

    card: Scorecard
    environments: int
    actions: int


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


def cards_of(key: ApiKey, most: int) -> list[CardUse]:
    """The newest cards of a key, at most `most`."""
    cards = list(key.cards.annotate(environments=Count("runs__environment", distinct=True))[:most])
    actions = _actions_by("run__card", run__card__in=[card.pk for card in cards])
    return [CardUse(card, card.environments, actions.get((card.pk,), 0)) for card in cards]


def seen(key: ApiKey | None = None) -> list[Seen]:
    """Which environments a key, or every key, saw in which set; by environment and key."""
    chosen = {"card__key": key} if key else {}
    rows = (
        Run.objects.filter(**chosen)
        .values_list("environment", "card__key", "release_set")
        .annotate(Count("pk"), Min("started_at"), Max("started_at"))
    )
    actions = _actions_by(
        "run__environment",
        "run__card__key",
        "run__release_set",
        **{f"run__{name}": value for name, value in chosen.items()},
    )
    keys, environments = ApiKey.objects.in_bulk(), Environment.objects.in_bulk()
    found = [
        Seen(
            key=keys[owner],
            environment=environments[environment],
            release_set=release_set,
            runs=runs,
            actions=actions.get((environment, owner, release_set), 0),
            first_at=first_at,
            last_at=last_at,
        )
        for environment, owner, release_set, runs, first_at, last_at in rows
    ]
    return sorted(found, key=lambda one: (one.environment.code, one.key.name, one.key.pk, one.first_at))


def _with_use(keys: Sequence[ApiKey]) -> list[KeyUse]:
    chosen = [key.pk for key in keys]
    cards = _by_key(Scorecard.objects.filter(key__in=chosen).order_by(), "key", Count("pk"), Max("used_at"))
    runs = _by_key(
        Run.objects.filter(card__key__in=chosen),
        "card__key",
        Count("pk"),
        Count("environment", distinct=True),
    )
    actions = _actions_by("run__card__key", run__card__key__in=chosen)
    days = KeyDay.objects.filter(key__in=chosen).order_by()
    requests = _by_key(days, "key", Sum("requests"), Sum("refused"))
    found = []
    for key in keys:
        card_count, used_at = cards.get(key.pk, (0, None))
        run_count, environments = runs.get(key.pk, (0, 0))
        asked = requests.get(key.pk, (0, 0))
        taken = actions.get((key.pk,), 0)
        found.append(KeyUse(key, card_count, environments, run_count, taken, used_at, *asked))
    return found


def _by_key(rows: Any, name: str, first: Any, second: Any) -> dict[int, tuple[Any, Any]]:
    """Two aggregates of a query for each key."""
    found = rows.values(name).annotate(first=first, second=second).values_list(name, "first", "second")
    return {key: (one, two) for key, one, two in found}


def _actions_by(*columns: str, **chosen: Any) -> dict[tuple[Any, ...], int]:
    """How many actions the plays of runs have, also those in progress, by these columns of `Play`."""
    plays = Play.objects.filter(**chosen).order_by().annotate(of_play=_ACTIONS)
    rows = plays.values(*columns).annotate(total=Sum("of_play")).values_list(*columns, "total")
    return {row[:-1]: row[-1] for row in rows}
