"""Records which accounts saw which environments. Nothing else writes `Sighting`."""

from collections.abc import Iterable
from datetime import UTC

from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone

from playtest.people.models import Staff
from playtest.studio.models import Environment, Sighting, SightingKind


def note_sightings(
    environments: Iterable[int], kind: SightingKind, staff: Staff | None, name: str = ""
) -> None:
    """Records that an account saw these environments (primary keys), once a day each.

    Where `staff` is None, `name` says which command or key it was.
    """
    at = timezone.now()
    account = {"staff": staff, "name": "" if staff else name, "kind": kind, "day": at.astimezone(UTC).date()}
    known = Sighting.objects.filter(**account, environment=OuterRef("pk"))
    new = Environment.objects.filter(~Exists(known), pk__in=environments).order_by("pk")
    for environment in new.values_list("pk", flat=True):
        try:
            with transaction.atomic():
                Sighting.objects.create(environment_id=environment, at=at, **account)
        except IntegrityError:  # another request of this account was recorded at the same moment
            if not Sighting.objects.filter(**account, environment=environment).exists():
                raise
