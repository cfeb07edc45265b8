"""Tries kinds of faults one after another, audits after each, and says what was lost."""

import time
import traceback
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from tools.faults.kinds import Kind
from tools.faults.world import World


@dataclass
class Result:
    """What became of one kind: `lost` counts turns that were acknowledged and are not in the journal."""

    name: str
    tried: int = 0
    acknowledged: int = 0
    longest_wait: float = 0.0
    seconds: float = 0.0
    findings: list[dict[str, Any]] = field(default_factory=list)
    went_back: list[str] = field(default_factory=list)
    failed: str = ""

    @property
    def lost(self) -> int:
        missing = [one for one in self.findings if one["code"].startswith("acknowledged")]
        return len(missing) + len(self.went_back)

    @property
    def ok(self) -> bool:
        return not (self.findings or self.went_back or self.failed)


async def attempt(world: World, kind: Kind, times: int, *, rebuild: int | None = 4) -> Result:
    """Let this happen so often while people play, and audit afterwards."""
    result = Result(kind.name)
    began, before, back = time.monotonic(), world.acknowledged, len(world.went_back)
    try:
        for number in range(1, times + 1):
            await world.play(world.some_time(0, kind.pause))
            result.tried += await kind.happen(world)
            if number % kind.in_a_row == 0 or number == times:
                result.longest_wait = max(result.longest_wait, await world.until_all_play())
        result.findings = await world.audit(rebuild)
    except Exception as error:  # whatever went wrong is a finding, and other kinds follow
        result.failed = str(error) if isinstance(error, AssertionError) else traceback.format_exc()
    result.acknowledged = world.acknowledged - before
    result.went_back = world.went_back[back:]
    result.seconds = time.monotonic() - began
    return result


def table(results: Iterable[Result]) -> str:
    """One line a kind, as Markdown."""
    lines = [
        "| fault | tried | turns given meanwhile | lost | other findings | longest until all play | s |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for one in results:
        others = len(one.findings) + len(one.went_back) - one.lost
        said = f"{others}" if not one.failed else f"{others}, NOT OVER"
        lines.append(
            f"| {one.name} | {one.tried} | {one.acknowledged} | {one.lost} | {said} "
            f"| {one.longest_wait:.1f} s | {one.seconds:.0f} |"
        )
    return "\n".join(lines)
