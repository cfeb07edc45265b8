"""A one-shot worker that packs modules into one source: `python -m engine.confine.workers.packing`.

Nothing of them is run, but reading a text as Python may take any memory and time.
Its messages (see `engine.confine.workers.one_shot`):

    request   name and modules, as `engine.play.packing.pack` takes them
    result    {"text": the one source}
    error     as `engine.play.packing.pack` raises it
"""

from __future__ import annotations

from engine.confine.workers.one_shot import Worker
from engine.play.packing import pack


def main() -> None:
    worker = Worker.start("engine.confine.workers.packing", "Packs modules into one source.", ())
    worker.answer(lambda: {"text": pack(worker.request["name"], worker.request["modules"])})


if __name__ == "__main__":
    main()
