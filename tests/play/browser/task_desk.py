"""A task editor on a bare page, whose edits the engine's state machine answers."""

import json
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Locator, Page

from engine.tasks.edits import edit_of
from engine.tasks.grids import listed
from engine.tasks.state import Submissions, TaskState, apply, start
from engine.tasks.task import Task
from tests.play.browser.conftest import ORIGIN

SETUP = """async ({ task, message }) => {
    const link = document.createElement("link");
    Object.assign(link, { rel: "stylesheet", href: "/static/play/tasks/task.css" });
    const loaded = new Promise((resolve) => link.addEventListener("load", resolve));
    document.head.append(link);
    await loaded;
    const { TaskEditor } = await import("/static/play/tasks/task-editor.js");
    const { EditQueue } = await import("/static/play/tasks/edit-queue.js");
    const { watchHands } = await import("/static/play/controls.js");
    const editor = new TaskEditor();
    const main = document.createElement("main");
    const heading = document.createElement("h1");
    Object.assign(heading, { className: "task-spoken", textContent: "Task" });
    main.append(heading, editor);
    main.style.height = "100dvh";
    document.body.append(main);
    const queue = new EditQueue(task, message, 0, async ({ edit, input }, sequence) => {
        const answer = await window.answered(edit, input);
        window.unanswered -= 1;
        queue.edited(sequence, answer);
    });
    const show = () => editor.show(task, queue.rule, queue.state, queue.waiting);
    editor.addEventListener("edit", ({ detail }) => {
        window.unanswered += 1;
        if (!queue.take(detail)) window.unanswered -= 1;
    });
    queue.addEventListener("change", show);
    watchHands(editor.gate, (event, verdict) => editor.keyed(event, verdict));
    Object.assign(window, { queue, unanswered: 0 });
    show();
    editor.focus();
    await painted();
}"""


@dataclass
class TaskDesk:
    """The editor on `page`; `journal` holds each edit that arrived, with its kind of input."""

    page: Page
    task: Task
    rule: Submissions = field(default_factory=Submissions)
    journal: list[tuple[str, int]] = field(default_factory=list)
    state: TaskState = field(init=False)

    def open(self) -> None:
        """Shows the editor on a page that was opened."""
        self.state = start(self.task)
        self.page.expose_function("answered", self._answered)
        document = json.loads(self.task.text)
        tests = [{"input": pair["input"]} for pair in document["test"]]
        task = {"demonstrations": document["train"], "tests": tests}
        self.page.goto(f"{ORIGIN}/")
        self.page.evaluate(SETUP, {"task": task, "message": self.message()})

    def message(self) -> dict[str, Any]:
        """The state as the server sends it."""
        inputs = [
            {
                "grid": listed(each.grid),
                "submissions": [
                    {"right": right, "counted": number < self.rule.tries}
                    for number, right in enumerate(each.submissions)
                ],
                "submitted": None if each.submitted is None else listed(each.submitted),
                "closed": each.closed(self.rule),
                "solved": each.solved(self.rule),
                "can_undo": bool(each.past),
                "can_redo": bool(each.future),
            }
            for each in self.state.inputs
        ]
        return {
            "open": self.state.open + 1,
            "finished": self.state.finished(self.rule),
            "inputs": inputs,
            "tries": self.rule.tries,
            "most_submissions": self.rule.most,
            "feedback": self.rule.feedback,
        }

    def _answered(self, edit: dict[str, Any], kind: int) -> dict[str, Any]:
        self.journal.append((edit["op"], kind))
        self.state = apply(self.task, self.rule, self.state, edit_of(edit))
        return self.message()

    def settle(self) -> None:
        """Waits until the engine has answered every edit, and checks that the page shows its grid."""
        self.page.wait_for_function("() => window.unanswered === 0")
        shown = self.page.evaluate("window.queue.state.inputs.map((input) => input.grid)")
        assert shown == [listed(each.grid) for each in self.state.inputs]

    @property
    def ops(self) -> list[str]:
        """The kinds of edit that arrived."""
        return [op for op, _ in self.journal]

    def press(self, name: str) -> None:
        """Presses the button of this name by the pointer."""
        button = self.page.get_by_role("button", name=name, exact=True)
        button.tap() if self.page.evaluate("navigator.maxTouchPoints > 0") else button.click()

    def grid(self, name: str) -> Locator:
        """A grid by the beginning of its label."""
        return self.page.locator(f'task-grid[aria-label^="{name}"]')

    def point(self, name: str, row: int, column: int) -> tuple[float, float]:
        """The middle of a cell in the window."""
        found = self.grid(name)
        box = found.locator("canvas").bounding_box()
        height, width = found.evaluate("(grid) => [grid.size.height, grid.size.width]")
        assert box is not None
        return (
            box["x"] + (column + 0.5) * box["width"] / width,
            box["y"] + (row + 0.5) * box["height"] / height,
        )
