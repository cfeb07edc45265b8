"""The answer of the page in a sentence."""

from statistics import median_high

from playtest.insight.states.level import LevelStates
from playtest.insight.states.names import people
from playtest.rules.attempt import Outcome
from playtest.rules.state_space.outlooks import HOPELESS, Outlook


def states_heading(states: LevelStates) -> str:
    """Where those who did not finish the level stopped."""
    level, stopped = states.level, states.stopped
    if not states.stays:
        return f"Nobody has reached level {level} yet"
    if not stopped:
        done = sum(outcome == Outcome.COMPLETED for _, outcome in states.people.values())
        return f"Nobody has stopped on level {level}: {people(done)} completed it"
    among = states.by_outlook()
    hopeless = sum(among[one] for one in HOPELESS)
    if hopeless:
        return f"Level {level}: {who_stopped(hopeless, len(stopped))} could no longer win"
    if among[Outlook.OPEN] >= among[Outlook.UNKNOWN]:
        near = among[Outlook.OPEN]
        was = "was" if near == 1 else "were"
        return f"Level {level}: {who_stopped(near, len(stopped))} {was} {away(states)} from a win"
    return f"Level {level}: {who_stopped(among[Outlook.UNKNOWN], len(stopped))} had no known way to a win"


def who_stopped(count: int, of: int) -> str:
    return f"{count} of {of} who stopped"


def away(states: LevelStates) -> str:
    """How far from a win those stopped who could still reach one: the upper median."""
    known = [state for state in states.stopped.values() if states.outlook(state) == Outlook.OPEN]
    fewest = sorted(int(states.outlooks.fewest[state]) for state in known)
    if not fewest:
        return ""
    most = "" if all(states.exact(state) for state in known) else "at most "
    middle = median_high(fewest)
    plural = "" if middle == 1 else "s"
    return f"{most}{middle} action{plural}" + (" (median)" if fewest[0] != fewest[-1] else "")
