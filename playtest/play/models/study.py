"""A study: a campaign with its pool, and the numbered versions of its protocol."""

import json
from functools import lru_cache
from typing import Self
from weakref import WeakValueDictionary

from django.conf import settings
from django.db import models
from django.db.models.fields.json import KT
from django.db.models.functions import Cast, Coalesce

from playtest.people.record.links import Recorded
from playtest.rules.document import canonical
from playtest.rules.protocol import DEFAULT, Protocol
from playtest.studio.models import Environment


def held_here(path: str = "") -> models.Q:
    """Studies of people who were here, by the path to the study: neither rehearsals nor from outside.

    The one condition by which studies are counted together.
    """
    return models.Q(**{f"{path}rehearsal": False, f"{path}outside__isnull": True})


def center_currency() -> str:
    """The currency of studies that are created from now on, a code of three capitals."""
    return str(settings.CENTER_CURRENCY)


class Study(Recorded):
    """A campaign. `currency` is of every amount in it, in all its protocol versions; it never changes."""

    name = models.CharField(max_length=100, unique=True)
    pool = models.ManyToManyField(Environment, related_name="studies", through="PoolEntry")
    open = models.BooleanField(default=True)
    rehearsal = models.BooleanField(default=False)
    currency = models.CharField(max_length=3, default=center_currency, editable=False)
    created_at = models.DateTimeField()
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )

    class Meta:
        verbose_name_plural = "studies"

    def __str__(self) -> str:
        return self.name

    @property
    def is_outside(self) -> bool:
        """Whether its data come from elsewhere (`OutsideStudy`)."""
        return hasattr(self, "outside")

    @property
    def stands_alone(self) -> bool:
        """Whether its results are never counted with those of other studies: the opposite of `held_here`."""
        return self.rehearsal or self.is_outside

    def offered(self) -> models.QuerySet[Environment]:
        """What of the pool people can be given: what has a version and was not sent back (`withheld`)."""
        pool = self.pool.filter(current__isnull=False)
        return pool if self.rehearsal else pool.exclude(pk__in=Environment.objects.sent_back())

    def withheld(self) -> models.QuerySet[Environment]:
        """What of the pool real people are no longer given, because it was sent back; open attempts go on."""
        sent_back = Environment.objects.sent_back()
        return self.pool.none() if self.stands_alone else self.pool.filter(pk__in=sent_back)

    @property
    def newest_version(self) -> "ProtocolVersion":
        """The version that the next participant checks in under."""
        return self.protocol_versions.latest("number")

    @property
    def protocol(self) -> Protocol:
        """The newest protocol of the study. A session follows its own version (`Session.protocol`)."""
        return self.newest_version.value


class PoolEntry(Recorded):
    """One environment in the pool of a study."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="+")
    environment = models.ForeignKey(Environment, on_delete=models.CASCADE, related_name="+")

    class Meta:
        db_table = "play_study_pool"
        unique_together = [("study", "environment")]

    def __str__(self) -> str:
        return f"environment {self.environment_id} of study {self.study_id}"


class ProtocolVersion(Recorded):
    """One version of a study's protocol: a draft until the first check-in under it, then frozen for good.

    `document` is `rules.protocol.Protocol` as JSON, `digest` its SHA-256. `created_at`, `created_by` and
    `reason` are of the change that made the version, or that last changed it while it was a draft. Triggers
    refuse every change of a frozen version (`play.journal.triggers`).
    """

    study = models.ForeignKey(Study, on_delete=models.PROTECT, related_name="protocol_versions")
    number = models.PositiveSmallIntegerField()
    document = models.JSONField()
    digest = models.CharField(max_length=64)
    reason = models.TextField(blank=True)
    created_at = models.DateTimeField()
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    frozen_at = models.DateTimeField(null=True)
    # The attempt rule once more, computed by the database from the document for
    # `play.sessions.reads.COUNTED`.
    more_than_actions = models.GeneratedField(
        expression=Cast(KT("document__attempt__more_than_actions"), models.IntegerField()),
        output_field=models.IntegerField(),
        db_persist=True,
    )
    less_than_seconds = models.GeneratedField(
        expression=Cast(KT("document__attempt__less_than_seconds"), models.IntegerField()),
        output_field=models.IntegerField(),
        db_persist=True,
    )
    view_seconds = models.GeneratedField(
        expression=Coalesce(
            Cast(KT("document__tasks__view_seconds"), models.IntegerField()), DEFAULT.tasks.view_seconds
        ),
        output_field=models.IntegerField(),
        db_persist=True,
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["study", "number"], name="protocol_version_is_unique_in_study"),
            models.UniqueConstraint(
                fields=["study"], condition=models.Q(frozen_at__isnull=True), name="one_draft_per_study"
            ),
        ]

    def __str__(self) -> str:
        return f"version {self.number}"

    @property
    def value(self) -> Protocol:
        return _parsed(canonical(self.document))

    @property
    def shared(self) -> "ProtocolVersion":
        """This version as one object for all sessions that a process holds, if it is frozen.

        A session's own copy of the document would be a fifth of the memory that a person takes.
        """
        if self.frozen_at is None:
            return self
        held = _HELD.setdefault((self.pk, self.digest), self)
        return held if held.document == self.document else self

    @property
    def edition(self) -> str:
        """Identifies this text of this version; a form sends the edition that it was filled from."""
        return f"{self.number}-{self.digest}"

    def write(self, protocol: Protocol) -> Self:
        """Set document and digest, without saving."""
        self.document, self.digest = protocol.document, protocol.digest
        return self


_HELD: WeakValueDictionary[tuple[int, str], ProtocolVersion] = WeakValueDictionary()


@lru_cache(maxsize=128)
def _parsed(text: str) -> Protocol:
    """Keyed by the text and not by `digest`, so that a draft or a damaged row is never read as another."""
    return Protocol.of(json.loads(text))
