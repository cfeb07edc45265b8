"""What play adds to homes: pools of which something was sent back."""

from collections import defaultdict

from playtest.people.manifests import Waits
from playtest.people.models import Staff
from playtest.people.roles import Right
from playtest.play.models.study import PoolEntry, held_here
from playtest.studio.models import Environment


def pools_to_mend(staff: Staff) -> Waits:
    """In how many open studies people are no longer given something, because it was sent back."""
    if not staff.may(Right.MANAGE_STUDIES):
        return Waits(0, "")
    entries = PoolEntry.objects.filter(
        held_here("study__"), study__open=True, environment__in=Environment.objects.sent_back()
    )
    codes: defaultdict[tuple[int, str], list[str]] = defaultdict(list)
    for pk, name, code in entries.values_list("study", "study__name", "environment__code").order_by("pk"):
        codes[pk, name].append(code)
    studies = "; ".join(f"{name}: {', '.join(found)}" for (_, name), found in codes.items())
    things = f"open {'study has' if len(codes) == 1 else 'studies have'} environments that were sent back"
    part = f"{next(iter(codes))[0]}/" if len(codes) == 1 else ""
    note = f"{studies}. Nobody is given them now: move them to External again, or change the pool."
    return Waits(len(codes), things, part, note)
