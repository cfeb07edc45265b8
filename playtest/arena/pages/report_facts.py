"""What the arena adds to a study's report: where AI was run, how often, its cost and its difference."""

from collections import Counter
from collections.abc import Iterator

from django.urls import reverse

from playtest.arena.models import Board, Play
from playtest.arena.scores.boards import Standing, entries, standings_of
from playtest.arena.scores.comparisons import differences_to_people
from playtest.insight.paper.report.gathered import Gathered, spread
from playtest.rules.reporting.document import Fact, Table
from playtest.rules.score import Reading
from playtest.rules.text import counted

type Found = Iterator[Fact | Table]


def items_run(found: Gathered) -> Found:
    """Item 0.9: the environments of the study, in the versions that people played."""
    runs = found.once(_plays)
    played = {code for code, _ in runs}
    total = len({version.environment_id for version in found.versions.values()})
    address = reverse("arena:boards")
    yield Fact("Environments of the study that AI was run on here", f"{len(played):,} of {total:,}", address)
    if runs:
        agents = Counter(code for code, _ in runs)
        rows = tuple((code, f"{number:,}") for code, number in sorted(agents.items()))
        yield Table("Agents (by their key) that played each environment.", ("Environment", "Agents"), rows)


def runs_each(found: Gathered) -> Found:
    """Item 0.10: plays of one agent at one environment."""
    yield Fact("Plays of an agent at an environment", spread(list(found.once(_plays).values())))


def cost(found: Gathered) -> Found:
    """Item 1.7: what the ranked entries that played the study's environments cost."""
    rows = tuple(
        (
            one.entry.agent,
            Board(one.entry.board).label,
            counted(one.score.actions, "action"),
            "not said" if one.cost is None else f"${one.cost:,.2f}",
        )
        for one in found.once(_ranked)
    )
    if rows:
        yield Table(
            "Entries on the boards, over all environments.", ("Agent", "Board", "Actions", "Cost"), rows
        )


def difference(found: Gathered) -> Found:
    """Item 4.1: each ranked entry against the people of all studies."""
    ranked = found.once(_ranked)
    known = differences_to_people([one.score for one in ranked])
    rows = [
        (
            one.entry.agent,
            f"{against.environments:,}",
            f"{against.agent:.1f} %",
            f"{against.people:.1f} %",
            f"{against.mean:+.1f}" + (f" ({reach.low:+.1f} to {reach.high:+.1f})" if reach else ""),
            "–" if against.p is None else f"{against.p:.3f}",  # noqa: RUF001
        )
        for one in ranked
        if (against := known[one.score.card.pk]) is not None
        for reach in [against.interval]
    ]
    if rows:
        yield Table(
            "Scores of agents minus those of people of all studies, over environments that both played. The"
            " interval is about other people and environments; p, whether one more person differs as much.",
            ("Agent", "Environments", "Score", "People", "Difference (95 %)", "p"),
            tuple(rows),
        )


FACTS = {"0.9": items_run, "0.10": runs_each, "1.7": cost, "4.1": difference}


def _plays(found: Gathered) -> Counter[tuple[str, int]]:
    """How many plays each key made of each environment, in the versions of the study."""
    rows = Play.objects.filter(run__version__in=list(found.versions))
    return Counter(rows.values_list("run__environment__code", "run__card__key"))


def _ranked(found: Gathered) -> list[Standing]:
    """The ranked entries of both boards that played a version of the study."""
    every = standings_of([entry for board in Board for entry in entries(board)], Reading())
    return [
        one
        for board in Board
        for one in every
        if one.entry.board == board
        and any(part.played and part.version.pk in found.versions for part in one.score.environments)
    ]
