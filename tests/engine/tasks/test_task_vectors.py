"""The stored vectors say what the engine's machine answers; `tests/play/browser` holds the page to them."""

import json

from engine.tasks.state import Submissions
from tests.engine.tasks.task_vectors import VECTORS, read, steps


def test_the_engine_answers_as_the_vectors_say() -> None:
    stored = json.loads(VECTORS.read_text())
    assert len(stored) >= 8
    for vector in stored:
        rule = Submissions(vector["tries"], vector["most"], vector["feedback"])
        edits = [edit for edit, _ in vector["steps"]]
        assert steps(read(vector), rule, edits) == vector["steps"], vector["name"]
