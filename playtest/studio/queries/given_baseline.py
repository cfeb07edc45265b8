"""The baseline that a version's metadata gives."""

from collections.abc import Sequence

from playtest.studio.models import Version


def given_baseline(version: Version) -> tuple[int, ...]:
    """`baseline_actions` of the metadata, level by level; () unless it has a positive number for each."""
    given = version.metadata.get("baseline_actions") or ()
    if type(given) is not list or any(type(one) is not int for one in given):
        return ()
    return () if baseline_fault(given, version.levels) else tuple(given)


def baseline_fault(given: Sequence[int], levels: int) -> list[str]:
    """A remark with its code if `baseline_actions` do not fit so many levels; none if there are none."""
    if given and min(given) <= 0:
        fault = f"one is {min(given)}"
    elif given and len(given) != levels:
        fault = f"there are {len(given)}"
    else:
        return []
    needed = f"{levels} whole numbers from 1 on are needed, one for each level, and {fault}"
    return [f"baseline_invalid: baseline_actions of the metadata are not used: {needed}"]
