"""How much of each set has left: disclosed scores, and the keys that saw its environments."""

from dataclasses import dataclass, field
from datetime import datetime

from django.db.models import Count, QuerySet

from playtest.arena.models import ApiKey, Disclosure, Run
from playtest.arena.queries.key_use import Seen, seen
from playtest.arena.services.keys import SETS
from playtest.rules.custody import PUBLIC
from playtest.studio.models import Environment, ReleaseSet


@dataclass(frozen=True)
class SetExposure:
    """One release set: what it has now, and what was told and seen of it while it was played."""

    release_set: ReleaseSet
    environments: int
    keys_allowed: int
    keys_that_saw: int
    runs: int
    scores: int
    last_score_at: datetime | None


@dataclass
class EnvironmentExposure:
    """One environment with the keys that saw it, and how many disclosed scores its runs are part of."""

    environment: Environment
    scores: int
    seen: list[Seen] = field(default_factory=list)

    @property
    def keys(self) -> list[ApiKey]:
        """Each key that saw it once."""
        return list(dict.fromkeys(one.key for one in self.seen))

    @property
    def runs(self) -> int:
        return sum(one.runs for one in self.seen)

    @property
    def actions(self) -> int:
        return sum(one.actions for one in self.seen)

    @property
    def last_at(self) -> datetime:
        return max(one.last_at for one in self.seen)

    @property
    def was_public(self) -> bool:
        """Whether a key saw it as part of the public set, in which it no longer is."""
        return self.environment.release_set != PUBLIC and any(one.release_set == PUBLIC for one in self.seen)


def sets() -> list[SetExposure]:
    """Each set, and the environments in none if keys saw them there."""
    found = [_of_set(release_set) for release_set in (*SETS, ReleaseSet.NONE)]
    return [one for one in found if one.release_set != ReleaseSet.NONE or one.runs or one.scores]


def environments() -> list[EnvironmentExposure]:
    """Each environment that some key saw, by its id."""
    scores = dict(
        Run.objects.filter(card__disclosures__isnull=False)
        .values("environment")
        .annotate(cards=Count("card", distinct=True))
        .values_list("environment", "cards")
    )
    found: dict[int, EnvironmentExposure] = {}
    for one in seen():
        pk = one.environment.pk
        found.setdefault(pk, EnvironmentExposure(one.environment, scores.get(pk, 0))).seen.append(one)
    return list(found.values())


def scores() -> QuerySet[Disclosure]:
    """Every disclosed score with its card and key, newest first."""
    return Disclosure.objects.select_related("card__key").order_by("-at", "-pk")


def _of_set(release_set: ReleaseSet) -> SetExposure:
    runs = Run.objects.filter(release_set=release_set)
    told = Disclosure.objects.filter(release_set=release_set)
    last = told.order_by("-at").first()
    in_use = ApiKey.objects.filter(revoked_at=None).values_list("sets", flat=True)
    return SetExposure(
        release_set=release_set,
        environments=Environment.objects.filter(release_set=release_set).count(),
        keys_allowed=sum(release_set in allowed for allowed in in_use),
        keys_that_saw=runs.values("card__key").distinct().count(),
        runs=runs.count(),
        scores=told.count(),
        last_score_at=last.at if last else None,
    )
