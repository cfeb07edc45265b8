"""The page's machine of tasks answers as the engine's does, and its queue of edits loses none."""

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


QUEUE = """{
    const task = {
        demonstrations: [{ input: [[1]], output: [[2]] }],
        tests: [{ input: [[1, 2, 3]] }, { input: [[4]] }],
    };
    const input = (grid, more = {}) => ({
        grid, submissions: [], closed: false, solved: false, can_undo: false, can_redo: false, ...more,
    });
    const message = (grid, more) => ({
        open: 1, finished: false, inputs: [input(grid, more), input([[0]])],
        tries: 2, most_submissions: 2, feedback: true,
    });
    const sent = [];
    const queue = new EditQueue(task, message([[0, 0]]), 7, ({ edit }, at) => sent.push([at, edit.op]));
    const take = (edit) => queue.take({ edit, input: 1, timeStamp: 0 });
    const paint = (cell, colour) => take({ op: "paint", colour, cells: [cell] });
    const shown = () => queue.state.inputs[0].grid.map((row) => row.join("")).join("/");
    %s
}"""


def result(run: Run, script: str) -> Any:
    return run("play/tasks/edit-queue.js", QUEUE % script)


def test_edits_are_drawn_at_once_and_sent_one_after_another(run: Run) -> None:
    script = """
    paint(0, 5); paint(1, 6);
    const before = [shown(), [...sent]];
    queue.edited(8, message([[5, 0]], { can_undo: true }));
    return [before, shown(), sent];
    """
    assert result(run, script) == [["56", [[8, "paint"]]], "56", [[8, "paint"], [9, "paint"]]]


def test_a_page_that_is_left_sends_what_still_waits_for_an_answer(run: Run) -> None:
    script = """
    paint(0, 5); paint(1, 6); paint(0, 7);
    queue.leave();
    const left = [...sent];
    queue.live = false;
    queue.leave();
    return [left, sent.length];
    """
    assert result(run, script) == [[[8, "paint"], [9, "paint"], [10, "paint"]], 3]


def test_an_edit_that_was_stored_is_not_sent_again_and_others_are(run: Run) -> None:
    script = """
    paint(0, 5); paint(1, 6); paint(0, 7);
    queue.live = false;
    queue.received(8, message([[5, 0]], { can_undo: true }));
    const lost = [shown(), [...sent]];
    queue.live = true;
    return [lost, sent.slice(1)];
    """
    assert result(run, script) == [["76", [[8, "paint"]]], [[9, "paint"]]]


def test_an_edit_whose_entry_the_server_never_stored_is_sent_again(run: Run) -> None:
    script = """
    paint(0, 5);
    queue.live = false;
    queue.received(7, message([[0, 0]]));
    queue.live = true;
    return [shown(), sent];
    """
    assert result(run, script) == ["50", [[8, "paint"], [8, "paint"]]]


def test_the_servers_grid_wins_where_it_differs(run: Run) -> None:
    script = """
    paint(0, 5); paint(1, 6);
    queue.edited(8, message([[9, 0, 9]], { can_undo: true }));
    return shown();
    """
    assert result(run, script) == "969"


def test_an_answer_that_was_given_twice_changes_nothing(run: Run) -> None:
    script = """
    paint(0, 5); paint(1, 6);
    queue.edited(8, message([[5, 0]], { can_undo: true }));
    queue.edited(8, message([[5, 0]], { can_undo: true }));
    return [shown(), sent.length];
    """
    assert result(run, script) == ["56", 2]


def test_after_a_submission_nothing_is_taken_until_its_answer(run: Run) -> None:
    script = """
    const taken = [take({ op: "submit" }), paint(0, 5), take({ op: "submit" })];
    const waiting = queue.waiting;
    queue.edited(8, message([[0, 0]], { submissions: [{ right: false, counted: true }] }));
    return [taken, waiting, queue.waiting, paint(0, 5), queue.state.inputs[0].submissions];
    """
    assert result(run, script) == [
        [True, False, False], True, False, True, [{"right": False, "counted": True}],
    ]  # fmt: skip


def test_a_refused_edit_takes_those_after_it_along(run: Run) -> None:
    script = """
    paint(0, 5); paint(1, 6);
    queue.refused();
    return [shown(), sent.length];
    """
    assert result(run, script) == ["00", 1]


def test_grids_that_only_the_server_has_are_undone_by_its_answer(run: Run) -> None:
    script = """
    queue.received(9, message([[5, 5]], { can_undo: true }));
    take({ op: "undo" });
    const before = shown();
    queue.edited(10, message([[5, 0]], { can_undo: true, can_redo: true }));
    return [before, shown(), sent];
    """
    assert result(run, script) == ["55", "50", [[10, "undo"]]]
