"""Moves between stages, with the results of members of the public."""

from typing import Any

from playtest.insight.compute.results import bring_up_to_date
from playtest.insight.pages.board.board import facts_of
from playtest.insight.scope import EVERYONE
from playtest.insight.tables import acceptance
from playtest.people.models import Staff
from playtest.play.errors import Refusal
from playtest.rules.errors import RuleError
from playtest.rules.pipeline import Stage
from playtest.studio.models import Environment, StageMove
from playtest.studio.services import pipeline


def move(environment: Environment, to: str, by: Staff | None, reason: str) -> StageMove:
    """As `studio.services.pipeline.move`, with every fact; Refusal with its codes.

    A move back from External stores the acceptance gate's verdict and up to three replays.
    """
    try:
        return pipeline.move(environment, to, by, reason, facts_of(environment), _verdict(environment))
    except RuleError as error:
        raise Refusal(error.code, error.message) from error


def _verdict(environment: Environment) -> dict[str, Any]:
    if environment.stage != Stage.EXTERNAL or environment.current is None:
        return {}
    bring_up_to_date(EVERYONE.attempts.filter(environment=environment))
    found = acceptance.evidence(environment.current)
    return {
        "acceptance": {
            "gate": found.verdict.gate.value,
            "people": found.verdict.people,
            "solvers": found.verdict.solvers,
            "words": found.verdict.sentence,
            "replays": [
                {"attempt": replay.attempt_id, "level": replay.level, "why": replay.why}
                for replay in found.replays
            ],
        }
    }
