"""Static tasks of a study that are the same, or that reviewers hold to be redundant."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

from engine.tasks.grids import listed
from engine.tasks.task import task_of
from playtest.play.models import Study
from playtest.rules.kinds import Kind
from playtest.rules.tasks.duplicates import duplicates
from playtest.studio.models import Environment, Version
from playtest.studio.queries.redundancy import Marked, marks_of


@dataclass(frozen=True)
class Reviewed:
    """Two tasks of the study and what reviewers say of them."""

    first: str
    second: str
    marked: Marked


@dataclass(frozen=True)
class Same:
    """Tasks that are the same up to colours, rotation and reflection, and the pairs of them to compare."""

    codes: tuple[str, ...]

    @property
    def pairs(self) -> Iterator[tuple[str, str]]:
        return combinations(self.codes, 2)


@dataclass(frozen=True)
class Redundancy:
    """`same` is found by comparing the grids, `reviewed` by people."""

    same: tuple[Same, ...]
    reviewed: tuple[Reviewed, ...]

    @property
    def heading(self) -> str:
        """What was found, for a heading."""
        tasks, marks = sum(len(one.codes) for one in self.same), len(self.reviewed)
        if not tasks and not marks:
            return "No task is found or marked to be redundant"
        found = f"{tasks} tasks have a duplicate" if tasks else "No task has a duplicate"
        return f"{found}, and {marks or 'no'} mark{'s' if marks > 1 else ''} of redundancy"


def redundancy(study: Study) -> Redundancy:
    """Compares the current versions of the study's tasks, and reads the marks on them."""
    tasks = list(
        study.pool.filter(kind=Kind.TASK, current__isnull=False)
        .select_related("current")
        .only("code", "current__digest")
        .order_by("code")
    )
    same = _same(tuple((one.code, one.current.digest) for one in tasks if one.current))
    return Redundancy(same, tuple(_reviewed(tasks)))


@lru_cache(maxsize=8)
def _same(tasks: tuple[tuple[str, str], ...]) -> tuple[Same, ...]:
    """Compares tasks, each given by its code and the digest of its version, which says all of its grids."""
    digests = [digest for _, digest in tasks]
    sources = dict(Version.objects.filter(digest__in=digests).values_list("digest", "source"))
    grids = {}
    for code, digest in tasks:
        task = task_of(sources[digest])
        grids[code] = [
            (listed(pair.input), listed(pair.output)) for pair in (*task.demonstrations, *task.tests)
        ]
    return tuple(Same(codes) for codes in duplicates(grids))


def _reviewed(tasks: list[Environment]) -> Iterator[Reviewed]:
    marks = marks_of(tasks)
    within = {one.pk for one in tasks}
    for one in tasks:
        for marked in marks[one.pk]:
            if marked.mark.first_id == one.pk and marked.mark.second_id in within:
                yield Reviewed(marked.mark.first.code, marked.mark.second.code, marked)
