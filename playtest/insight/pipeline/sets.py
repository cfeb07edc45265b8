"""What can be divided into sets: finished environments and how people fared at them."""

from fractions import Fraction

from playtest.insight.results.acceptance import verdicts
from playtest.rules.pipeline import Stage
from playtest.studio.models import Environment


def finished() -> tuple[list[tuple[Environment, Fraction]], list[Environment]]:
    """Every Done environment that people have tried, with the share (0..1) of those counted who solved it.

    Beside them those of whose current version nobody's attempt counts.
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
