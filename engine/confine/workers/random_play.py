"""A one-shot worker that plays a level at random: `python -m engine.confine.workers.random_play`.

Its messages (see `engine.confine.workers.one_shot`):

    request   metadata, text, path, and question: the fields of `engine.prove.random_play.Question`
    progress  {"done": as `answer` reports it}
    result    {"report": as `engine.prove.random_play.answer` returns it}
    error     where the environment fails too often
"""

from __future__ import annotations

from typing import Any

import scipy.ndimage  # imported late elsewhere, when this process can open no files
import scipy.special  # noqa: F401  # as well

from engine.confine.workers.one_shot import Worker
from engine.play.actions import Action
from engine.prove.chance import Question
from engine.prove.random_play import answer


def main() -> None:
    worker = Worker.start("engine.confine.workers.random_play", "Plays one level at random.", ("done",))
    # Snapshots grow between the calls of the environment.
    player = worker.player(adds_up_memory=False)
    question = _question(worker.request["question"])
    worker.answer(lambda: {"report": answer(player, question, lambda done: worker.progress(done=done))})


def _question(asked: dict[str, Any]) -> Question:
    actions = tuple(Action(*action) for action in asked["win"])
    return Question(**asked | {"win": actions, "needed": tuple(asked["needed"])})


if __name__ == "__main__":
    main()
