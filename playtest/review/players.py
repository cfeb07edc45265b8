"""Who played an attempt, as pages and files name them.

A person by the label, an agent as a higher room names it in its manifest, a member of staff by the account.
"""

from collections.abc import Collection

from playtest.people.manifests import manifests
from playtest.play.models import Attempt

UNKNOWN_AGENT = "an agent"


def player_names(attempts: Collection[Attempt]) -> dict[int, str]:
    """The name of each attempt's player, by attempt; people have to be selected with the attempts."""
    runs = [one.pk for one in attempts if one.is_run]
    found = dict.fromkeys(runs, UNKNOWN_AGENT)
    for manifest in manifests() if runs else ():
        for names in manifest.agent_names:
            found |= names(runs)
    return found | {one.pk: _own_name(one) for one in attempts if not one.is_run}


def _own_name(attempt: Attempt) -> str:
    if attempt.staff is not None:
        return f"{attempt.staff.get_username()} (internal)"
    return attempt.participant.label


def player_name(attempt: Attempt) -> str:
    """The name of one attempt's player."""
    return player_names([attempt])[attempt.pk]


def name_in_files(attempt: Attempt) -> str:
    """The attempt as names of files have it: an internal play says that it is one."""
    return f"{'internal' if attempt.is_internal else 'attempt'}-{attempt.pk}"
