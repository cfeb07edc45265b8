"""What a page is told of its session and its static task, as the JSON messages of docs/wire.md."""

from datetime import datetime
from typing import Any

from engine.play.actions import bits_of
from engine.play.turns import EncodedTurn
from engine.tasks.game import TaskGame
from engine.tasks.grids import listed
from playtest.play.attempt.task_in_process import TaskInProcess, rule_of
from playtest.play.models import Attempt
from playtest.play.page.wire import FromServer
from playtest.play.sessions.debriefs import Asked
from playtest.play.sessions.going_back import may_be_set_aside
from playtest.play.sessions.reads import Stage, deadline_of
from playtest.play.sessions.status import PlayStatus, SessionStatus
from playtest.rules.attempt import Outcome
from playtest.rules.limits import elapsed_seconds, hard_limit, is_over, seconds_left


def session_message(status: PlayStatus, at: datetime) -> dict[str, Any]:
    """A `session` message: the status of the session, or of an internal play."""
    left = status.session_seconds_left(at)
    return {
        "type": FromServer.SESSION,
        "stage": status.stage if status.stage in (Stage.PLAYING, Stage.PAUSE) else Stage.OVER,
        "paused": status.paused,
        "session_seconds_left": None if left is None else round(left, 1),
        "attempt": _attempt(status, status.attempt, at) if status.attempt else None,
        "previous": _previous(status.previous) if status.stage == Stage.PAUSE else None,
        "solved": status.solved,
        "debrief": _debrief(status.asked) if status.stage == Stage.PAUSE and status.asked else None,
        "aside": [{"attempt": one.number, "input": listed(one.input)} for one in status.aside],
        "only_aside": status.only_aside,
    }


def task_message(number: int, task: TaskInProcess) -> dict[str, Any]:
    """A `task` message: what the editor shows, without the outputs of test pairs, which are solutions."""
    game = task.game
    return {
        "type": FromServer.TASK,
        "attempt": number,
        "sequence": game.seq,
        "task": _task_state(game),
        "demonstrations": [
            {"input": listed(pair.input), "output": listed(pair.output)} for pair in game.task.demonstrations
        ],
        "inputs": [listed(pair.input) for pair in game.task.tests],
    }


def edited_message(number: int, task: TaskInProcess, turn: EncodedTurn, sequence: int) -> dict[str, Any]:
    """An `edited` message: the edit with this sequence is durable, and the task is as it says."""
    return {
        "type": FromServer.EDITED,
        "attempt": number,
        "sequence": sequence,
        "changed": turn.changed,
        "task": _task_state(task.game),
    }


def _task_state(game: TaskGame) -> dict[str, Any]:
    """The state of a task for the page; without feedback, not whether a submission is right."""
    state, rule = game.state, game.rule
    return {
        "open": state.open + 1,
        "finished": state.finished(rule),
        "inputs": [
            {
                "grid": listed(each.grid),
                "submissions": [
                    {"right": right if rule.feedback else None, "counted": place < rule.tries}
                    for place, right in enumerate(each.submissions)
                ],
                "submitted": None if each.submitted is None else listed(each.submitted),
                "closed": each.closed(rule),
                "solved": each.solved(rule) if rule.feedback else None,
                "can_undo": bool(each.past),
                "can_redo": bool(each.future),
            }
            for each in state.inputs
        ],
        "tries": rule.tries,
        "most_submissions": rule.most,
        "feedback": rule.feedback,
    }


def prompt_message(status: SessionStatus, at: datetime) -> dict[str, Any]:
    """A `prompt` message: the soft limit of the open attempt is reached."""
    assert status.attempt is not None
    deadline = deadline_of(status.attempt, status.adjustments.until(at))
    assert deadline is not None
    return {
        "type": FromServer.PROMPT,
        "attempt": status.attempt.number,
        "spent_seconds": status.session.prescribed.limits.soft_seconds,
        "seconds_left": round(seconds_left(deadline.at, at)),
    }


def _attempt(status: PlayStatus, attempt: Attempt, at: datetime) -> dict[str, Any]:
    limits, started, due = status.limits, attempt.first_frame_at, status.prompt_due_at()
    adjustments = status.adjustments.of_attempt(attempt.pk)
    longest = hard_limit(started or at, limits, adjustments) if limits else None
    return {
        "number": attempt.number,
        "kind": attempt.version.kind,
        "levels": attempt.version.levels,
        "actions": bits_of(attempt.version.available_actions),
        "frames_per_second": attempt.version.default_fps,
        "elapsed_seconds": round(elapsed_seconds(started, at, adjustments), 1) if started else 0.0,
        "soft_limit_seconds": limits.soft_seconds if limits else None,
        "hard_limit_seconds": round(longest.total_seconds()) if longest else None,
        "prompt": is_over(due, at),
        "may_be_set_aside": may_be_set_aside(attempt),
    }


def _debrief(asked: Asked) -> dict[str, Any]:
    return {
        "attempt": asked.number,
        "token": asked.token,
        "difficulty": asked.answers.difficulty,
        "about": asked.answers.about,
    }


def _previous(attempt: Attempt | None) -> dict[str, Any] | None:
    if attempt is None:
        return None
    if attempt.ended_at is None:
        return {"solved": None, "cause": "set_aside"}
    if not rule_of(attempt).feedback and attempt.outcome in (Outcome.COMPLETED, Outcome.TRIES_USED):
        return {"solved": None, "cause": "answered"}
    return {"solved": attempt.outcome == Outcome.COMPLETED, "cause": attempt.outcome}
