"""A one-shot worker that makes a batch of random play: `python -m engine.confine.workers.random_play`.

Its messages (see `engine.confine.workers.one_shot`):

    request   metadata, text, path, level, seed, first, tries, budget
    progress  {"done": tries}
    result    {"report": as `engine.prove.player.play` returns it}
    error     where the environment fails too often
"""

from __future__ import annotations

from engine.confine.workers.one_shot import Worker
from engine.prove.player import Batch, play


def main() -> None:
    worker = Worker.start("engine.confine.workers.random_play", "Makes one batch of random play.", ("done",))
    batch = Batch(**{name: worker.request[name] for name in ("level", "seed", "first", "tries", "budget")})
    worker.answer(lambda: {"report": play(worker.player(), batch, lambda done: worker.progress(done=done))})


if __name__ == "__main__":
    main()
