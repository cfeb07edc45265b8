"""What can be divided into sets: finished environments and how people fared at them."""

from fractions import Fraction

from playtest.insight.queries.acceptance import verdicts
from playtest.rules.pipeline import Stage
from playtest.studio.models import Environment


def finished() -> list[tuple[Environment, Fraction]]:
    """Every Done environment that people have tried, with the share (0..1) of those counted who solved it."""
    done = list(
        Environment.objects.filter(stage=Stage.DONE, current__isnull=False)
        .select_related("current")
        .defer("note", "current__source", "current__metadata")
    )
    known = verdicts(done) if done else {}
    return [
        (environment, Fraction(verdict.solvers, verdict.people))
        for environment in done
        if (verdict := known[environment.pk]).people
    ]
