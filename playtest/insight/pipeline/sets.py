"""The finished environments that can be divided into sets."""

from fractions import Fraction

from playtest.insight.results.acceptance import verdicts
from playtest.rules.pipeline import Stage
from playtest.studio.models import Environment


def finished() -> tuple[list[tuple[Environment, Fraction]], list[Environment]]:
    """Every Done environment with counted people, and the share (0..1) of them who solved it.

    The second list has the Done environments whose current version nobody has a counted attempt at.
    """
    done = list(
        Environment.objects.filter(stage=Stage.DONE, current__isnull=False)
        .select_related("current")
        .defer("note", "current__source", "current__metadata")
    )
    verdict = verdicts(done) if done else {}
    tried = [
        (environment, Fraction(verdict[environment.pk].solvers, verdict[environment.pk].people))
        for environment in done
        if verdict[environment.pk].people
    ]
    return tried, [environment for environment in done if not verdict[environment.pk].people]
