"""A one-shot worker that makes one batch of random play and ends: `python -m engine.workers.random_play`.

Its messages (see `engine.workers.one_shot`):

    request   metadata, text, path, level, seed, first, tries, budget
    progress  {"done": tries}
    result    {"report": as `engine.random_play.play` returns it}
    error     where the environment fails too often
"""

from __future__ import annotations

from engine.random_play import Batch, play
from engine.workers.one_shot import Worker


def main() -> None:
    worker = Worker.start("engine.workers.random_play", "Makes one batch of random play.", ("done",))
    batch = Batch(**{name: worker.request[name] for name in ("level", "seed", "first", "tries", "budget")})
    worker.answer(lambda: {"report": play(worker.player(), batch, lambda done: worker.progress(done=done))})


if __name__ == "__main__":
    main()
