"""The baseline that a version's metadata gives."""

from playtest.studio.models import Version


def given_baseline(version: Version) -> tuple[int, ...]:
    """`baseline_actions` of the metadata, level by level; () unless it has a positive number for each."""
    given = version.metadata.get("baseline_actions")
    if not isinstance(given, list) or len(given) != version.levels:
        return ()
    if not all(type(actions) is int and actions > 0 for actions in given):
        return ()
    return tuple(given)
