"""`python -m tests.live.adapter <session>`: plays level 1 of an open attempt of wk01.

An adapter for another protocol enters like this: it takes and returns values of the engine and the journal.
"""

import asyncio
import json
import sys
from typing import Any

import django

from engine.play.actions import Action
from tests.engine.sources import WALK_WINS, moves


async def play(session: int) -> dict[str, Any]:
    from playtest.play.attempt.runner import attempt_runner
    from playtest.play.journal.entries import Provenance
    from playtest.play.models import Attempt, InputKind
    from playtest.rules.adjustments import NO_ADJUSTMENTS
    from playtest.rules.attempt import Outcome

    attempts = Attempt.objects.select_related("version", "session__study", "environment")
    attempt = await attempts.aget(session=session, ended_at=None)
    live = attempt_runner().join(attempt, NO_ADJUSTMENTS)
    opening = await attempt_runner().current_turn(live)
    turns = []
    for sequence, action in enumerate(moves(WALK_WINS[0]), start=opening.seq + 1):
        turns.append(await attempt_runner().act(live, sequence, action, Provenance(InputKind.KEY)))
    repeated = await attempt_runner().act(live, 1, moves(WALK_WINS[0])[0])
    refusals = [
        await refusal(attempt_runner().act(live, sequence, action))
        for sequence, action in ((7, Action(1)), (1, Action(2)), (4, Action(7)))
    ]
    attempt_runner().leave(live)
    await attempt_runner().end(attempt, Outcome.GAVE_UP)
    refusals.append(
        await refusal(attempt_runner().act(attempt_runner().join(attempt, NO_ADJUSTMENTS), 4, Action(1)))
    )
    return {
        "turns": [(turn.seq, turn.level, turn.level_completed, turn.state) for turn in turns],
        "frames": [len(turn.frames.payload) for turn in turns],
        "repeated": repeated.state_hash == turns[0].state_hash
        and repeated.frames.payload == turns[0].frames.payload,
        "refusals": refusals,
        "imported": sorted(name for name in sys.modules if name.startswith(("playtest.play", "channels.g"))),
    }


async def refusal(acting: Any) -> str:
    from playtest.play.errors import Refusal

    try:
        await acting
    except Refusal as refused:
        return refused.code
    return "none"


if __name__ == "__main__":
    django.setup()
    sys.stdout.write(json.dumps(asyncio.run(play(int(sys.argv[1])))))
