"""Jobs on one version: qualifications, explorations and random play."""

from django.db import models

from playtest.jobs.models import Job, Request
from playtest.studio.models.environments import Version


class _OfVersion(models.Model):
    """A job on a version with a `seed`, which repeats it exactly."""

    version = models.ForeignKey(Version, on_delete=models.CASCADE, related_name="%(class)ss")
    seed = models.PositiveBigIntegerField()

    class Meta:
        abstract = True


class Qualification(_OfVersion, Request):
    """`steps` is the limit of each regime; `full` is whether it is the full number.

    Its parts say how far it is; `done` is set when it ends. `report` is `engine.prove.qualification`'s:
    {"passed", "checks": [{"code", "passed", "message", "mend", ...}]}.
    """

    steps = models.PositiveBigIntegerField()
    full = models.BooleanField(default=False)
    passed = models.BooleanField(null=True)
    report = models.JSONField(default=dict)


class QualificationPart(Job):
    """A share of one regime that one worker does: `steps` random steps from `seed`; what it found."""

    qualification = models.ForeignKey(Qualification, on_delete=models.CASCADE, related_name="parts")
    regime = models.CharField(max_length=24)
    number = models.PositiveSmallIntegerField()
    seed = models.PositiveBigIntegerField()
    steps = models.PositiveBigIntegerField()
    findings = models.JSONField(default=list)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["qualification", "regime", "number"], name="qualification_part_is_unique"
            )
        ]


class Exploration(_OfVersion, Job, Request):
    """The state graph of one level: its `limits`, and its `report` as `engine.prove.exploration` makes it.

    `graph` holds the nodes nearest to the start, and the edges between them, to be drawn.
    """

    level = models.PositiveSmallIntegerField()
    limits = models.JSONField(default=dict)
    report = models.JSONField(default=dict)
    graph = models.JSONField(default=dict)


class ExploredStates(models.Model):
    """Every state and action of an exploration: the tables of `engine.prove.exploration.graph`, deflated.

    Graphs that are too large have none, and explorations made before they were kept.
    """

    exploration = models.OneToOneField(
        Exploration, on_delete=models.CASCADE, primary_key=True, related_name="states"
    )
    nodes = models.BinaryField()
    edges = models.BinaryField()

    class Meta:
        verbose_name_plural = "explored states"


class RandomPlay(_OfVersion, Job, Request):
    """Random play of one level, of games with at most `budget` actions each.

    `report` is `engine.prove.random_play`'s, `total` the most tries and runs that its progress counts.
    Earlier rows were batches, by `number`, of the tries of one `seed`.
    """

    level = models.PositiveSmallIntegerField()
    number = models.PositiveIntegerField()
    budget = models.PositiveIntegerField()
    report = models.JSONField(default=dict)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["version", "level", "seed", "number"], name="random_play_is_unique"
            )
        ]
