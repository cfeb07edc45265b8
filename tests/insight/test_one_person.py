"""A person with two records has the same results as with one, in every number of a study."""

from dataclasses import asdict, is_dataclass
from typing import Any

import pytest

from playtest.center.same_records import link_records
from playtest.insight.pages.baseline.report import baseline_report
from playtest.insight.pages.environment.figures import PAGE
from playtest.insight.pages.environment.figures import build as figure_of_version
from playtest.insight.pages.study.figures import FIGURES
from playtest.insight.pages.study.links import StudyLinks
from playtest.insight.pages.study.order import met_last
from playtest.insight.pages.study.people import by_person, languages, shares
from playtest.insight.pages.study.results import StudyResults, numbers, progress
from playtest.insight.paper.planning import measured
from playtest.insight.paper.preregistration import newest_standing
from playtest.insight.paper.report.gathered import attempt_flow, people_flow
from playtest.insight.paper.report.robustness import variants
from playtest.insight.services.reports import register
from playtest.insight.tables.population import population_of
from playtest.insight.tables.portfolio import portfolio
from playtest.insight.tables.version import version_results
from playtest.people.models import Participant
from playtest.people.participants import names_of_persons
from playtest.people.roles import Role
from playtest.people.services import new_participant
from playtest.play.models import Study
from playtest.rules.attempt import Outcome
from tests import make
from tests.insight.up_to_date import results_of
from tests.live.games import WALK
from tests.staff import signed_in, staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]

PEOPLE = 12
STALL = [2] * 31
ENVIRONMENTS = ("wk01", "ck01")


def studied(*, two_records: bool) -> Study:
    """Half of them come twice; the first person's second session is of another record, or of the same one."""
    first, second = (make.environment(code) for code in ENVIRONMENTS)
    study = make.study(pool=[first], people=100, name="Two" if two_records else "One")
    register(study, None, people=PEOPLE, analysis="")
    people = [new_participant() for _ in range(PEOPLE)]
    for number, person in enumerate(people):
        solves = number % 3 == 0
        acts = [*[2] * number, *STALL, *(WALK if solves else WALK[:4])]
        outcome = Outcome.COMPLETED if solves else Outcome.GAVE_UP
        session = make.session(study, person, answers={"age": "25-34" if number < 6 else "35-44"})
        make.play(session, acts, outcome, minutes_ago=50)
    study.pool.add(second)
    for number, person in enumerate(people[: PEOPLE // 2]):
        here = _other_record(person) if two_records and number == 0 else person
        session = make.session(study, here, answers={"age": "25-34" if number < 6 else "35-44"})
        acts = [*[0] * number, *[0] * 40]
        make.play(session, acts, Outcome.COMPLETED if number % 2 else Outcome.GAVE_UP, minutes_ago=20)
    return study


def _other_record(person: Participant) -> Participant:
    other = new_participant()
    link_records(person, other.label, "the desk knows", staff(Role.LEAD))
    return other


def everything(study: Study) -> dict[str, Any]:
    """All numbers of a study, with people named by the order in which they came, without addresses."""
    results = results_of(study)
    found = numbers(results)
    links = StudyLinks(study, results.scope)
    all_of_it: dict[str, Any] = {
        "numbers": found,
        "shares": shares(results),
        "people": by_person(results).drop("sessions", "participant").to_dicts(),
        "progress": [(row.code, row.counted, row.solved, row.excluded) for row in progress(results)],
        "languages": languages(study),
        "met last": met_last(results),
        "flow": (people_flow(results), attempt_flow(results)),
        "planner": measured(results),
        "robustness": [
            (one.name, one.attempts, one.success, sorted(one.baselines.items())) for one in variants(results)
        ],
        "registered": [str(one) for one in standing.departures]
        if (standing := newest_standing(study))
        else None,
        "said": population_of(results.everyone, results.scope).sentence,
        "portfolio": [
            (row.environment.code, row.verdict, row.solved, row.completion)
            for row in portfolio(results.scope)
        ],
    }
    for name, build in FIGURES.items():
        all_of_it[f"study {name}"] = drawn(results, build(results, found, links))
    for code in ENVIRONMENTS:
        version = make.environment(code).current
        assert version is not None
        of_version = version_results(version, results.scope)
        all_of_it[f"{code} people"] = of_version.people
        for name in PAGE:
            all_of_it[f"{code} {name}"] = drawn(results, figure_of_version(of_version, name))
        report = baseline_report(version, results.scope)
        all_of_it[f"{code} baseline"] = (report.counted, [level.baseline for level in report.levels])
    return all_of_it


def drawn(results: StudyResults, figure: Any) -> tuple[str, list[dict[str, Any]]]:
    order = list(dict.fromkeys(results.everyone["participant"].to_list()))
    names = {label: f"person {order.index(label)}" for label in order}

    def plain(value: Any) -> Any:
        return names.get(value.split(",")[0], value) if isinstance(value, str) else value

    rows = [
        {name: plain(value) for name, value in row.items() if name != "href"}
        for row in figure.as_json()["rows"]
    ]
    return figure.title, rows


def rounded(value: Any) -> Any:
    """Plain values; the last digits of a number depend on the order in which people are summed."""
    match value:
        case float():
            return round(value, 6)
        case dict():
            return {name: rounded(one) for name, one in value.items()}
        case list() | tuple():
            return [rounded(one) for one in value]
    return rounded(asdict(value)) if is_dataclass(value) and not isinstance(value, type) else value


@pytest.fixture(scope="module")
def studies(module_db: None) -> tuple[Study, Study]:
    return studied(two_records=False), studied(two_records=True)


def test_every_number_is_that_of_the_study_in_which_the_person_had_one_record(
    studies: tuple[Study, Study],
) -> None:
    one, two = (rounded(everything(study)) for study in studies)
    assert one["numbers"]["people"] == PEOPLE
    assert {name: two[name] for name in one} == one


def test_the_list_of_studies_and_of_a_persons_attempts_know_both_records(
    studies: tuple[Study, Study],
) -> None:
    lead = signed_in(Role.LEAD)
    listed = dict(lead.get("/staff/studies/").context["studies"])
    assert [listed[study] for study in studies] == [PEOPLE, PEOPLE]
    ((other, first),) = names_of_persons().items()
    for name in (other, first):
        found = lead.get("/staff/attempts/", {"participant": name}).context["page"].object_list
        assert {one.participant.label for one in found} == {other, first}, name
