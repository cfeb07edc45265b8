"""Edits are drawn at once, sent in order and again after a reconnection; the server's state decides."""

from typing import Any

from tests.play.browser.conftest import Run

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
