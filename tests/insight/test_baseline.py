"""The baseline of an environment: its people and numbers, on the page and by command."""

import json
import shutil
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from playtest.insight.pages.baseline.report import baseline_report, levels_text
from playtest.insight.requests import find_version
from playtest.people.roles import Role
from playtest.people.services import new_participant
from playtest.play.models import Study
from playtest.rules.attempt import Outcome
from playtest.studio.models import Recording, Version
from playtest.studio.services import load_environments
from tests import make
from tests.insight.games_folder import record, with_walk
from tests.insight.up_to_date import baseline_of
from tests.live.games import WALK
from tests.staff import signed_in
from tests.studio.versions import fewest

pytestmark = [pytest.mark.django_db, pytest.mark.once]


@pytest.fixture
def study() -> Study:
    return make.study()


def baseline(*arguments: str) -> str:
    output = StringIO()
    call_command("baseline", "wk01", *arguments, stdout=output)
    return output.getvalue()


def levels(*arguments: str) -> list[dict[str, Any]]:
    return list(json.loads(baseline("--json", *arguments))["levels"])


def page_for(role: Role, **query: str) -> str:
    found = signed_in(role).get(reverse("insight:baseline", args=["wk01"]), query)
    assert found.status_code == 200
    return str(found.content.decode())


def complete_first_level(study: Study, actions: int, **who: Any) -> int:
    """Plays an attempt that needs this many actions (at least 3) for level 1."""
    wasted = [2] * (actions - 3)  # into the wall
    return make.play(make.session(study, **who), [*wasted, 4, 4, 4, 2]).pk


def test_the_baseline_matches_the_worked_example_of_the_protocol(study: Study) -> None:
    for actions in (40, 22, 31, 25):
        complete_first_level(study, actions)
    first, second, *_ = levels()
    assert first == {
        "level": 1,
        "completers": 4,
        "upper_median": 31,
        "best": 22,
        "fewest_known": 22,
        "fewest_is_proven": False,
        "low": 22,
        "high": 40,
        "coverage": 0.875,
        "more_people": 13,
        "actions": [22, 25, 31, 40],
    }
    nothing = dict.fromkeys(
        ("upper_median", "best", "fewest_known", "low", "high", "coverage", "more_people")
    )
    assert second == {"level": 2, "completers": 0, **nothing, "fewest_is_proven": False, "actions": []}


def test_resets_count_as_actions_and_each_level_counts_from_its_start(study: Study) -> None:
    make.play(make.session(study), [4, 0, 4, 4, 4, 0, 2, 2, 2, *WALK[6:]], Outcome.COMPLETED)
    assert [row["actions"] for row in levels()] == [[5], [4], [3], [3], [3], [3]]


def test_each_version_has_its_own_baseline(study: Study) -> None:
    complete_first_level(study, 10)
    old = find_version("wk01")
    new = Version.objects.get(pk=old.pk)
    new.pk, new.digest = None, "f" * 64
    new.save()
    new.environment.current = new
    new.environment.save()
    assert levels()[0]["actions"] == []
    assert levels("--version", old.digest[:6])[0]["actions"] == [10]


def test_the_command_prints_the_same_table(study: Study) -> None:
    complete_first_level(study, 10)
    complete_first_level(study, 4)
    lines = baseline().splitlines()
    assert lines[1].split() == ["1", "2", "10", "4", "4", "-", "4", "10"]
    assert lines[2].split() == ["2", "0", "-", "-", "-", "-"]
    assert lines[-1] == "0 counted people: provisional; undo counted"


def test_the_command_prints_the_baseline_of_one_version_of_the_protocol(study: Study) -> None:
    complete_first_level(study, 10)
    make.change(study, more_than_actions=3)
    complete_first_level(study, 4)
    sentence = "These results combine versions 1 and 2 of the protocol."
    assert baseline("--study", str(study.pk)).splitlines()[-1] == sentence
    for number, actions in (("1", [10]), ("2", [4])):
        chosen = ("--study", str(study.pk), "--protocol", number)
        assert levels(*chosen)[0]["actions"] == actions
        facts = json.loads(baseline("--json", *chosen))["protocols"]
        assert [version["version"] for version in facts["versions"]] == [int(number)]
        assert sentence not in baseline(*chosen)
    for wrong in ("3", "x"):
        with pytest.raises(CommandError, match=r"^protocol_version_unknown: "):
            baseline("--study", str(study.pk), "--protocol", wrong)


@pytest.mark.parametrize(
    ("code", "arguments"),
    [
        ("environment_unknown", ["none"]),
        ("version_unknown", ["wk01", "--version", "none"]),
        ("version_ambiguous", ["wk01", "--version", "a"]),
        ("protocol_version_unknown", ["wk01", "--protocol", "1"]),
    ],
)
def test_an_invalid_command_ends_with_its_code(code: str, arguments: list[str]) -> None:
    current = make.environment().current
    assert current is not None
    for digest in ("a1", "a2"):
        version = Version.objects.get(pk=current.pk)
        version.pk, version.digest = None, digest
        version.save()
    with pytest.raises(CommandError, match=f"^{code}: ") as raised:
        call_command("baseline", *arguments)
    assert raised.value.returncode == 1


def test_every_number_on_the_page_links_to_its_replay(study: Study) -> None:
    attempt = complete_first_level(study, 10)
    page = page_for(Role.DESIGNER)
    assert f'href="{reverse("review:attempt", args=[attempt])}#level=1"' in page


def test_numbers_have_no_links_without_the_right_to_watch(study: Study) -> None:
    complete_first_level(study, 10)
    page = page_for(Role.ENGINEER)
    assert "1 of 1" in page
    assert "/staff/attempts/" not in page


def test_people_who_gave_up_are_listed_with_their_level_and_the_attempt_rule(study: Study) -> None:
    complete_first_level(study, 10)
    complete_first_level(study, 40)
    first, second = baseline_of(find_version("wk01")).people
    assert first.levels_in == "level 1"
    assert first.out == [("level 2", "not completed: gave up")]
    assert first.why_not_counted == "Not counted: it has 11 actions and needs more than 30."
    assert second.why_not_counted == ""
    page = page_for(Role.DESIGNER)
    assert "level 2, not completed: gave up" in page
    assert first.why_not_counted in page


def test_ranges_of_levels_are_formatted_as_text() -> None:
    said = {
        (): "no level",
        (4,): "level 4",
        (1, 2, 3): "levels 1 to 3",
        (1, 3, 4, 7): "levels 1, 3 to 4 and 7",
    }
    assert {levels: levels_text(list(levels)) for levels in said} == said


def test_simulated_people_and_rehearsals_are_in_no_baseline_but_their_own(study: Study) -> None:
    complete_first_level(study, 4, person=new_participant(simulated=True))
    rehearsal = make.study(rehearsal=True, name="Dry run")
    complete_first_level(rehearsal, 5)
    page = page_for(Role.DESIGNER, study="")
    assert "Nobody has played this version yet" in page
    alone = page_for(Role.DESIGNER, study=str(rehearsal.pk))
    assert ": a rehearsal" in alone
    assert levels("--study", str(rehearsal.pk))[0]["actions"] == [5]
    complete_first_level(study, 10)
    assert levels()[0]["actions"] == [10]


def test_the_fewest_known_is_of_this_version_and_at_most_the_best_first_run(
    study: Study, tmp_path: Path
) -> None:
    walk = with_walk(tmp_path)
    record(walk, "win", [2, 2, *WALK[:3], 0, *WALK[3:]])
    record(walk, "another", [2, *WALK[:3], 1, 2, *WALK[3:]])
    record(walk, "loss", [2, 2, *WALK[:9]])
    (walk / "recordings" / "broken.jsonl").write_text("{")
    load_environments(tmp_path)
    version = find_version("wk01")
    assert fewest(version) == {1: 4, 2: 3, 3: 3, 4: 3, 5: 3, 6: 3}
    complete_first_level(study, 5)
    assert [row["fewest_known"] for row in levels()] == [4, 3, 3, 3, 3, 3]
    complete_first_level(study, 3)
    assert [(row["fewest_known"], row["best"]) for row in levels()[:2]] == [(3, 3), (3, None)], (
        "never above the best"
    )
    shortest = Recording(version=version, kind="optimal", name="level 2", level=2, actions=[[2, None, None]])
    shortest.levels_completed = [1, 2]
    shortest.made_at = version.imported_at
    shortest.save()
    assert fewest(version) == {1: 4, 2: 1, 3: 3, 4: 3, 5: 3, 6: 3}
    with (walk / "wk01.py").open("a") as source:
        source.write("# another version")
    shutil.rmtree(walk / "recordings")
    load_environments(tmp_path)
    assert fewest(find_version("wk01")) == {}


def test_figures_have_the_scope_of_the_page(study: Study) -> None:
    complete_first_level(study, 10)
    client = signed_in(Role.RESEARCHER)

    def text(name: str) -> str:
        address = reverse("insight:baseline-figure", args=["wk01", *name.split(".")])
        answer = client.get(address)
        assert answer.status_code == 200
        return str(answer.content.decode())

    shown = client.get(reverse("insight:baseline", args=["wk01"])).context["figure"]
    assert [row[:2] for row in shown.rows] == [("Level 1", 10)]
    lines = {line["name"]: line["value"] for line in shown.options["lines"]}
    assert lines == {"baseline": 10, "best": 10, "in the metadata": 3}
    assert text("levels.csv").splitlines()[1] == "1,1,1,10,,,,,10,10,False,undo counted"
    assert (
        text("people.csv").splitlines()[2].endswith("2,1,0,1,False,not completed: gave up,False,undo counted")
    )
    assert client.get(reverse("insight:baseline-figure", args=["wk01", "nothing", "csv"])).status_code == 404


def test_a_baseline_takes_the_same_few_queries_for_any_number_of_people(
    study: Study, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    version = find_version("wk01")
    for actions in (4, 5, 6):
        complete_first_level(study, actions)
    baseline_of(version)
    with CaptureQueriesContext(connection) as asked:
        baseline_report(version)
    for actions in (7, 8, 9):
        complete_first_level(study, actions)
    baseline_of(version)
    with django_assert_num_queries(len(asked)):
        baseline_report(version)
