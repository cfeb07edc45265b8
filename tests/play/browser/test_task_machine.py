"""The page's machine of tasks answers as the engine's does, for stored vectors and for random edits."""

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.tasks.state import Submissions
from engine.tasks.task import Task
from tests.engine.tasks.strategies import ANY_EDITS, TWO_INPUTS
from tests.engine.tasks.task_vectors import VECTORS, WIDE, read, steps
from tests.play.browser.conftest import Run

STORED = json.loads(VECTORS.read_text())
PLAYED = """{
    const content = { demonstrations: task.train, tests: task.test };
    let state = start(content);
    return edits.map((edit) => {
        let error = null;
        try {
            state = apply(content, rule, state, edit);
        } catch (refusal) {
            if (!(refusal instanceof EditError)) throw refusal;
            error = refusal.code;
        }
        const inputs = state.inputs.map((input) => ({
            grid: input.grid.map((row) => row.join("")),
            right: input.submissions.map(({ right }) => right),
            closed: input.closed, solved: input.solved, can_undo: canUndo(input), can_redo: canRedo(input),
        }));
        return [edit, { error, open: state.open + 1, inputs }];
    });
}"""


def played(run: Run, task: Task, rule: Submissions, edits: list[dict[str, Any]]) -> Any:
    """The steps as the page's machine answers."""
    return run(
        "play/tasks/machine.js",
        PLAYED,
        task=json.loads(task.text),
        rule={"tries": rule.tries, "most": rule.most, "feedback": rule.feedback},
        edits=edits,
    )


@pytest.mark.parametrize("vector", STORED, ids=lambda vector: vector["name"])
def test_the_page_answers_as_the_vectors_say(run: Run, vector: dict[str, Any]) -> None:
    edits = [edit for edit, _ in vector["steps"]]
    rule = Submissions(vector["tries"], vector["most"], vector["feedback"])
    assert played(run, read(vector), rule, edits) == vector["steps"]


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    task=st.sampled_from([TWO_INPUTS, WIDE]),
    rule=st.sampled_from(
        [Submissions(), Submissions(1, 1), Submissions(2, 9), Submissions(2, 3, feedback=False)]
    ),
    edits=st.lists(ANY_EDITS, min_size=10, max_size=60),
)
def test_any_edits_lead_to_the_engines_grids(
    run: Run, task: Task, rule: Submissions, edits: list[dict[str, Any]]
) -> None:
    assert played(run, task, rule, edits) == steps(task, rule, edits)
