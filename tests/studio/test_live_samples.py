"""A qualification plays samples again where people play, and refuses what goes on differently there."""

from __future__ import annotations

import pytest

from engine.play.source import Source
from engine.prove.qualification.findings import Finding
from engine.prove.qualification.plan import DETERMINISM, FUZZ, plan
from playtest.studio.processes import qualification
from tests.engine.sources import environment, written

pytestmark = pytest.mark.programs

KNOWS_WHERE_IT_IS = {
    "looks for modules of the qualification": "any('qualification' in name for name in sys.modules)",
    "looks at the program's name": "'fork_server' not in sys.argv[0]",
}


def found(source: Source, regime: str) -> list[Finding]:
    part = next(part for part in plan(3, 60) if part.regime == regime)
    return qualification.run_part(source, part, [], lambda done: None)


@pytest.mark.parametrize("regime", [DETERMINISM, FUZZ])
@pytest.mark.parametrize("tested", KNOWS_WHERE_IT_IS.values(), ids=KNOWS_WHERE_IT_IS.keys())
def test_an_environment_that_wins_by_one_action_where_people_play_is_found(tested: str, regime: str) -> None:
    source = written(draw=f"if self.game._action_count and not {tested}: frame[0, 0] = 3")
    codes = {finding.code: finding for finding in found(source, regime)}
    assert not codes["differs_in_live_play"].note
    assert "Where people play it" in codes["differs_in_live_play"].message


def test_an_environment_that_plays_everywhere_alike_passes() -> None:
    for regime in (DETERMINISM, FUZZ):
        assert found(environment("wk01"), regime) == []


def test_an_environment_that_ends_its_host_where_people_play_is_found() -> None:
    source = written(step="os._exit(0) if 'fork_server' in sys.argv[0] else None")
    (finding,) = found(source, FUZZ)
    assert finding.code == "differs_in_live_play"
    assert "exit code 0" in finding.message


def test_a_failure_that_was_found_is_not_found_again() -> None:
    source = written(step="if self._action_count > 3: 1 / 0")
    assert {finding.code for finding in found(source, FUZZ)} == {"environment_raised"}
