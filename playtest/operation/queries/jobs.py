"""Jobs of all rooms that are not finished."""

from django.apps import apps
from django.db.models import Count

from playtest.jobs.models import UNFINISHED, Job


def unfinished() -> dict[tuple[str, str], int]:
    """How many jobs of each kind have each status; kinds without any say 0 waiting."""
    found: dict[tuple[str, str], int] = {}
    for model in apps.get_models():
        if not issubclass(model, Job):
            continue
        kind = str(model._meta.verbose_name)
        found[kind, "waiting"] = 0
        rows = model._default_manager.filter(status__in=UNFINISHED).values_list("status")
        found |= {(kind, status): count for status, count in rows.annotate(Count("pk")).order_by()}
    return found
