"""Records which accounts saw which environments. Nothing else writes `Sighting`."""

from collections.abc import Iterable
from datetime import UTC

from django.db import IntegrityError, transaction
from django.utils import timezone

from playtest.people.models import Staff
from playtest.studio.models import Sighting, SightingKind


def note_sightings(
    environments: Iterable[int], kind: SightingKind, staff: Staff | None, name: str = ""
) -> None:
    """Records that an account saw these environments (primary keys), once a day each.

    Where `staff` is None, `name` says which command or key it was.
    """
    at = timezone.now()
    account = {"staff": staff, "name": "" if staff else name, "kind": kind, "day": at.astimezone(UTC).date()}
    wanted = set(environments)
    known = Sighting.objects.filter(**account, environment__in=wanted).values_list("environment", flat=True)
    for environment in sorted(wanted.difference(known)):
        try:
            with transaction.atomic():
                Sighting.objects.create(environment_id=environment, at=at, **account)
        except IntegrityError:  # another request of this account was recorded at the same moment
            if not Sighting.objects.filter(**account, environment=environment).exists():
                raise
