"""The parts of the page of a level's states, and of the page of one state."""

from collections import Counter
from dataclasses import dataclass
from typing import Any

from engine.prove.exploration.graph import FIRST_CELL, numbered_action
from playtest.insight.pages.action_patterns.page import ActRun, PersonLink
from playtest.insight.pages.states.figures import Names, away
from playtest.insight.pages.states.level import LevelStates
from playtest.rules.labels import ACTION_LABELS, KEY_CAPS
from playtest.rules.state_space.locating import HOPELESS, Outlook

MOST_ENDS = 12
MOST_ROWS = 20
MOST_NAMED = 12
"""The most people who are named in a row; the page of the state names everybody."""


@dataclass(frozen=True)
class StateLink:
    """A state: its name and page, and what can come of it. `attempt` shows it after `action`."""

    name: str
    href: str
    outlook: str
    hopeless: bool
    attempt: int
    action: int


type Row = dict[str, Any]
"""A row of a table, by the names that its template has for the cells."""


class StatesPage:
    """What the pages show of a level's states."""

    def __init__(self, states: LevelStates) -> None:
        self.states = states
        self.names = Names(states)
        self._links = states.results.links

    def facts(self) -> list[tuple[str, str]]:
        """Numbers with their labels, for the head of the page."""
        among, stopped = self.states.by_outlook(), len(self.states.stopped)
        found = [("reached the level", str(len(self.states.stays))), ("stopped on it", str(stopped))]
        if among[Outlook.OPEN]:
            found.append((f"stopped {away(self.states)} from a win", str(among[Outlook.OPEN])))
        found += [
            (label, str(among[outlook]))
            for outlook, label in (
                (Outlook.DEAD_END, "stopped in a dead end"),
                (Outlook.LOST, "stopped on a lost level"),
                (Outlook.UNKNOWN, "stopped where no win is known"),
            )
            if among[outlook]
        ]
        if self.states.falls:
            fell = {person for fall in self.states.falls.values() for person in fall.people}
            found.append(("ever gave a win away", str(len(fell))))
        return found

    def ends(self) -> list[Row]:
        """The states in which most people stopped, at most MOST_ENDS."""
        rows = list[Row]()
        for state in self.names.ends[:MOST_ENDS]:
            use = self.states.uses[state]
            named = tuple(
                self.person(one, len(self.states.walks[one].steps)) for one in use.stopped[:MOST_NAMED]
            )
            counts = {"people": len(use.first), "stopped": len(use.stopped)}
            rows.append({"state": self.link(state), **counts, "named": named})
        return rows

    def falls(self) -> list[Row]:
        """The moves that cost most people a win, at most MOST_ROWS; `for_good`: who never got it back."""
        ranked = sorted(
            self.states.falls.items(),
            key=lambda item: (-len(item[1].people), -len(item[1].for_good), item[0]),
        )
        rows = list[Row]()
        for (before, after), fall in ranked[:MOST_ROWS]:
            person, action = min(fall.people.items())
            done = Counter(
                self.states.walks[one].steps[number - 1].action for one, number in fall.people.items()
            )
            rows.append(
                {
                    "before": self.link(before),
                    "after": self.link(after),
                    "runs": (run_of(done.most_common(1)[0][0]),),
                    "people": len(fall.people),
                    "for_good": len(fall.for_good),
                    "example": self.person(person, action - 1),
                }
            )
        return rows

    def loops(self) -> list[Row]:
        """The states to which most people came back, at most MOST_ROWS."""
        returned = [(state, use) for state, use in self.states.uses.items() if use.returned]
        returned.sort(key=lambda item: (-len(item[1].returned), -sum(item[1].returned.values()), item[0]))
        return [
            {
                "state": self.link(state),
                "people": len(use.returned),
                "of_people": len(use.first),
                "times": sum(use.returned.values()),
                "example": self.person(
                    most := max(use.returned, key=lambda one: (use.returned[one], -one)), use.first[most]
                ),
            }
            for state, use in returned[:MOST_ROWS]
        ]

    def people(self) -> list[Row]:
        """Everybody on the level, those who stopped farthest from a win first."""
        rows = list[Row]()
        for attempt, stay in self.states.stays.items():
            participant, outcome = self.states.people[attempt]
            rows.append(
                {
                    "participant": participant,
                    "outcome": self.states.results.outcome_labels[outcome],
                    "last": self.link(stay.last),
                    "fewest": self.states.fewest(stay.last),
                    "closest": stay.closest,
                    "returns": sum(stay.returns.values()),
                    "falls": len(stay.falls),
                    "href": self.moment(attempt, len(stay.places) - 1),
                }
            )
        return sorted(
            rows, key=lambda row: (row["fewest"] is not None, -(row["fewest"] or 0), row["participant"])
        )

    def visitors(self, state: int) -> list[Row]:
        """Everybody who was in a state, at their first moment there or where they stopped, these first."""
        use = self.states.uses[state]
        rows: list[Row] = [
            {
                "person": self.person(
                    attempt, len(self.states.walks[attempt].steps) if attempt in use.stopped else first
                ),
                "returned": use.returned.get(attempt, 0),
                "stopped": attempt in use.stopped,
            }
            for attempt, first in use.first.items()
        ]
        return sorted(rows, key=lambda row: (not row["stopped"], -row["returned"], row["person"].participant))

    def link(self, state: int) -> StateLink:
        """The state, with the earliest of its pictures in the journal."""
        return StateLink(
            self.names.name(state),
            self.names.address(state),
            self.names.outlook(state),
            self.states.outlook(state) in HOPELESS,
            *self.states.first_seen(state),
        )

    def person(self, attempt: int, action: int) -> PersonLink:
        """The person, with the replay after so many actions on the level."""
        return PersonLink(self.states.people[attempt][0], "", self.moment(attempt, action))

    def moment(self, attempt: int, action: int) -> str | None:
        return self._links.moment(attempt, self.states.entered[attempt] + action)


def run_of(number: int) -> ActRun:
    """One action of this number."""
    action = numbered_action(number)
    if number < FIRST_CELL:
        return ActRun(KEY_CAPS[action.id], ACTION_LABELS[action.id], "", "", 1)
    place = f"click {action.x}, {action.y}"
    return ActRun(place, f"click at {action.x}, {action.y}", "", "", 1)
