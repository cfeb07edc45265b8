"""Whether others of the team than its owner have played an environment (decision 132)."""

from collections.abc import Collection

from playtest.people.models import Staff
from playtest.play.sessions.internal_plays import plays_of_versions
from playtest.rules.internal_play import ACTIONS, PLAYERS, InternalPlay, plays_that_count
from playtest.rules.kinds import Kind
from playtest.rules.pipeline import Fact
from playtest.studio.models import Environment

_ENOUGH = {
    Kind.INTERACTIVE: f"a completed level or {ACTIONS} actions",
    Kind.TASK: f"a solved test input or {ACTIONS} edits",
}


def facts(environments: Collection[Environment]) -> dict[int, Fact]:
    """The fact about the current version of each, by the environment's key."""
    plays = plays_of_versions(one.current_id for one in environments if one.current_id is not None)
    counted = {
        one.pk: plays_that_count(plays.get(one.current_id or 0, ()), one.owner_id) for one in environments
    }
    players = {player for found in counted.values() for player in found}
    names = dict(Staff.objects.filter(pk__in=players).values_list("pk", "username"))
    return {one.pk: _fact(counted[one.pk], names, _ENOUGH[Kind(one.kind)]) for one in environments}


def _fact(found: dict[int, InternalPlay], names: dict[int, str], enough: str) -> Fact:
    """`found`: by player, the first play that counts; `enough` says what makes a play count."""
    data = {"plays": {names[player]: play.attempt for player, play in found.items()}}
    played = ", ".join(data["plays"])
    if len(found) >= PLAYERS:
        return Fact(True, f"Members of the team who do not own it have played it: {played}.", data)
    if not found:
        who = f"{PLAYERS} of the team who do not own it have"
        return Fact(False, f"{who} to play this version: {enough} each.", data)
    more = PLAYERS - len(found)
    who = f"{more} more of the team who {'does' if more == 1 else 'do'} not own it"
    must = f"{'has' if more == 1 else 'have'} to play this version: {enough}"
    return Fact(False, f"{who} {must}. So far: {played}.", data)
