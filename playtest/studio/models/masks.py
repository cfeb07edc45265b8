"""Which cells of a version states are compared without, as found and as decided."""

from django.conf import settings
from django.db import models

from playtest.people.record.links import Recorded
from playtest.studio.models.environments import Version


class StateMask(Recorded):
    """The cells that were found (`decided_by` None) or decided; never changed, the newest decision counts.

    `cells` and `undecided` are `engine.prove.masks.packed`. The evidence is `stretches` with `actions`, of
    random play and of as many recorded `attempts`, by the rules of that number (0: not known). `applied_at`:
    when what depends on states was computed again with it.
    """

    version = models.ForeignKey(Version, on_delete=models.CASCADE, related_name="state_masks")
    cells = models.BinaryField(max_length=512)
    undecided = models.BinaryField(max_length=512)
    stretches = models.PositiveIntegerField(default=0)
    actions = models.PositiveIntegerField(default=0)
    attempts = models.PositiveIntegerField(default=0)
    rules = models.PositiveSmallIntegerField(default=0)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+"
    )
    reason = models.TextField(blank=True)
    at = models.DateTimeField()
    applied_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.version_id}, {self.at}"
