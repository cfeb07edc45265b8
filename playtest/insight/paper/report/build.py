"""Builds a study's report: for each item what the record says, and the newest answer of a person."""

from collections.abc import Callable, Iterable, Iterator, Mapping

from playtest.insight.models import ReportAnswer
from playtest.insight.paper.report import analysis, conduct, design
from playtest.insight.paper.report.gathered import Gathered
from playtest.insight.scope import Scope
from playtest.people.manifests import manifests
from playtest.people.participants import links_read_once
from playtest.play.models import Study
from playtest.rules.reporting.document import ITEMS, Entry, Fact, Item, Report, Table

type Builder = Callable[[Gathered], Iterator[Fact | Table]]

FACTS: dict[str, Builder] = {
    "0.5": design.kind,
    "0.6": design.mode,
    "0.7": design.language,
    "0.8": design.whole_set,
    "0.9": conduct.nothing,
    "0.10": conduct.nothing,
    "1.1": design.baseliners,
    "1.2": design.covered,
    "1.3": design.responses,
    "1.4": design.items_each,
    "1.5": design.suitability,
    "1.6": design.iteration,
    "1.7": design.effort,
    "1.8": design.power,
    "1.9": conduct.nothing,
    "1.10": design.preregistered,
    "2.1": conduct.nothing,
    "2.2": conduct.nothing,
    "2.3": conduct.nothing,
    "2.4": conduct.staff_excluded,
    "2.5": conduct.exposure,
    "2.6": conduct.training,
    "2.7": conduct.pay,
    "3.1": conduct.session,
    "3.2": conduct.quality,
    "3.3": conduct.interface,
    "3.4": conduct.instructions,
    "3.5": conduct.tools,
    "3.6": conduct.explanations,
    "4.1": analysis.difference,
    "4.2": analysis.uncertainty,
    "4.3": analysis.metric,
    "4.6": analysis.robustness,
    "5.1": analysis.participants,
    "5.2": analysis.data,
    "5.3": analysis.materials,
}


_OF_THE_CENTER = frozenset({"0.7", "2.4", "2.5", "2.6", "2.7", "3.1", "3.3", "3.4", "3.5"})
"""Items about how this center holds its studies: of one that was held elsewhere, none of that is known."""


def report_of(study: Study) -> Report:
    """The report of a study as its results are now; the caller brings these up to date."""
    return Report(study.name, scope_said(study), entries_of(study, ITEMS, newest_answers(study)))


def scope_said(study: Study) -> str:
    """Whose results a study's report has, and whether an undo is an action, in two sentences."""
    scope = Scope(study)
    return f"{scope.description} Of actions, {scope.undo}."


def entries_of(study: Study, items: Iterable[Item], answers: Mapping[str, ReportAnswer]) -> tuple[Entry, ...]:
    """These items with what the record says of each; what none of them needs is not computed."""
    found = Gathered(study)
    with links_read_once():
        return tuple(_entry(found, item, answers.get(item.number)) for item in items)


def _entry(found: Gathered, item: Item, answer: ReportAnswer | None) -> Entry:
    if found.study.is_outside and item.number in _OF_THE_CENTER:
        parts: list[Fact | Table] = [Fact("Held elsewhere", found.study.outside.sentence)]
    else:
        parts = list(FACTS[item.number](found))
    for manifest in manifests():  # facts that a higher room knows
        parts += manifest.report[item.number](found) if item.number in manifest.report else ()
    return Entry.of(
        item,
        tuple(part for part in parts if isinstance(part, Fact)),
        tuple(part for part in parts if isinstance(part, Table)),
        answer.text if answer else "",
        f"version {answer.version}, {answer.answered_at:%Y-%m-%d}" if answer and answer.text else "",
    )


def unanswered(answers: Mapping[str, ReportAnswer]) -> list[Item]:
    """The items that a person still has to answer, by the newest answers."""
    given = {number for number, answer in answers.items() if answer.text}
    return [item for item in ITEMS if item.asked and item.number not in given]


def newest_answers(study: Study) -> dict[str, ReportAnswer]:
    """The newest version of the answer to each item, by the item's number; its text is "" if taken back."""
    return {answer.item: answer for answer in study.report_answers.order_by("version")}
