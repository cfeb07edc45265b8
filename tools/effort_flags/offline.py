"""Plays whole sessions of simulated people on shipped environments: no server, no database, no waiting.

What comes out is what the effort rules are given of a real session. Only shipped environments are played,
whose code is the product's own; others run in confined processes only.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from engine.play import source as sources
from engine.play.actions import Action
from engine.play.game import Game
from engine.play.recording import read
from engine.play.source import Source
from playtest.rehearsal.people.person import Person
from playtest.rehearsal.people.steps import (
    KEY_REPEAT,
    Answer,
    FocusChange,
    Leave,
    Press,
    Scene,
    Solutions,
    Step,
    WalkOut,
    after,
    from_recording,
)
from playtest.rules.attempt import Outcome
from playtest.rules.effort.evidence import Act, AttemptEvidence
from playtest.rules.limits import Limits
from tools.effort_flags.kinds import Playing, as_rehearsed, steps

_BEFORE_PLAYING_SECONDS = 480.0
"""Consent, survey and tutorial."""
_PAUSE_SECONDS = (4.0, 30.0)
"""Between two environments."""


@dataclass(frozen=True)
class Playable:
    """A shipped environment with its recorded solutions; `version` stands for the row of a database."""

    version: int
    code: str
    source: Source
    solutions: Solutions


def playable(folder: Path, version: int) -> Playable:
    """The environment in this folder, which has a recorded win; its code is the folder's name."""
    source = sources.load(folder)
    win = (folder / "recordings" / "win.jsonl").read_text().splitlines()
    return Playable(version, folder.name, source, _solutions(folder.name, source, win))


def _solutions(code: str, source: Source, lines: Sequence[str]) -> Solutions:
    """The actions of a winning recording, level by level."""
    game, turn = Game.start(source, 0)
    actions = []
    for recorded in read(lines).turns[1:]:
        action = recorded.action
        actions.append((turn.level, Press(action.id, action.x or 0, action.y or 0)))
        turn = game.act(action)
    return from_recording(code, actions, turn.levels)


def play_session(
    person: Person,
    pool: Sequence[Playable],
    limits: Limits,
    first_attempt: int,
    playing: Playing = as_rehearsed,
) -> list[AttemptEvidence]:
    """The session of a person: the pool in random order, until it is used up, time is over or they leave.

    Its attempts are numbered from `first_attempt`.
    """
    chance = person.chance("session")
    order = chance.sample(list(pool), len(pool))
    left = limits.session_seconds - _BEFORE_PLAYING_SECONDS
    attempts = []
    for number, playable in enumerate(order, start=1):
        left -= chance.uniform(*_PAUSE_SECONDS)
        if left <= 0:
            break
        attempt = _Attempt(person, playing, playable, limits, left)
        attempts.append(attempt.play(first_attempt + number - 1, number))
        left -= attempts[-1].seconds
        if attempt.walked_out:
            break
    return attempts


class _Attempt:
    """One person at one environment. `walked_out`: they left the room."""

    def __init__(
        self, person: Person, playing: Playing, playable: Playable, limits: Limits, session_seconds: float
    ) -> None:
        self._playable, self._person, self._limits, self._playing = playable, person, limits, playing
        self._game, self._turn = Game.start(playable.source, 0)
        self._session_ends_first = session_seconds < limits.hard_seconds
        self._end = min(session_seconds, limits.hard_seconds)
        self._seconds = self._away = 0.0
        self._acts: list[Act] = []
        self.walked_out = False

    def play(self, key: int, number: int) -> AttemptEvidence:
        """Plays to the end; `key` and `number` are the attempt's."""
        outcome = self._outcome(number)
        return AttemptEvidence(
            attempt=key,
            number=number,
            version=self._playable.version,
            environment=self._playable.code,
            outcome=outcome,
            levels_completed=self._turn.levels_completed,
            seconds=self._seconds,
            away_seconds=self._away,
            acts=tuple(self._acts),
        )

    def _outcome(self, number: int) -> Outcome:
        made = steps(self._playing, self._person, self._scene(), self._playable.solutions, number)
        step = next(made, None)
        while step is not None and self._seconds + step.pause < self._end:
            self._seconds += step.pause
            if (outcome := self._carry_out(step)) is not None:
                return outcome
            if isinstance(step.act, WalkOut):
                break
            step = after(made, self._scene())
        self._seconds = self._end
        return Outcome.SESSION_OVER if self._session_ends_first else Outcome.TIMED_OUT

    def _carry_out(self, step: Step) -> Outcome | None:
        """The outcome if the step ends the attempt."""
        match step.act:
            case Leave():
                return Outcome.GAVE_UP
            case Answer("finish"):
                return Outcome.CONCLUDED
            case WalkOut():
                self.walked_out = True
            case FocusChange(event):
                if event in ("page_shown", "window_focused"):
                    self._away += step.pause
            case Press() as press:
                self._press(press)
        return Outcome.COMPLETED if self._turn.state == "WIN" else None

    def _press(self, press: Press) -> None:
        before = self._turn
        clicks = press.action == 6
        action = Action(press.action, press.x, press.y) if clicks else Action(press.action)
        self._turn = self._game.act(action)
        self._acts.append(
            Act(
                seq=len(self._acts) + 1,
                action=press.action,
                cell=(press.x, press.y) if clicks else None,
                level=before.level,
                changed=self._turn.changed,
                at=self._seconds,
                pressed=self._seconds,
                held=press.input == KEY_REPEAT,
                offered=1 | sum(1 << action for action in before.available_actions),
            )
        )

    def _scene(self) -> Scene:
        turn = self._turn
        return Scene(
            turn.level,
            turn.levels,
            tuple(turn.available_actions),
            turn.state,  # type: ignore[arg-type]
            turn.changed,
            self._seconds,
            self._seconds >= self._limits.soft_seconds,
        )
