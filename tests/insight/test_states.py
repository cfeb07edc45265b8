"""Where people are among the states of a level, with a real exploration of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from copy import deepcopy
from html import unescape
from typing import Any

import pytest
from django.test import Client

from engine.play.source import Source
from engine.prove.exploration.graph import Limits
from playtest.insight.compute.results import bring_up_to_date
from playtest.insight.pages.states.level import LevelStates, level_states
from playtest.insight.scope import EVERYONE
from playtest.insight.tables.version import version_results
from playtest.people.roles import Role
from playtest.play.models import Attempt, Study
from playtest.review.models import DecisionKind
from playtest.rules.state_space.locating import Outlook
from playtest.studio.models import ExploredStates, Version
from playtest.studio.processes.exploration import Report
from playtest.studio.processes.exploration import explore as explore_in_a_worker
from playtest.studio.services import explorations
from tests import make
from tests.engine.mazes import Rooms, maze
from tests.review.cases import settled
from tests.staff import staff
from tests.studio.test_explorations import stored_version

pytestmark = [pytest.mark.django_db, pytest.mark.once]

# Room 2 can only be left for itself; 3 and 4 lead to one another.
CORRIDOR: Rooms = {0: (0, 1), 1: (0, 3), 3: (4, 2), 4: (3, 5), 5: ("loss", "win"), 2: (2, 2)}
PAGE = "/staff/environments/xx02/levels/{}/states/"
WIN = [2, 2, 1, 2, 2]
TO_DEAD_END = [2, 2, 2]
TO_LOSS = [2, 2, 1, 2, 1]


@pytest.fixture(scope="module", autouse=True)
def explorations_are_remembered() -> Iterator[None]:
    """Most tests here explore the same level: each exploration runs once in a worker, then from memory."""
    known: dict[str, dict[str, Any]] = {}

    def remembered(source: Source, *, report: Report, **asked: Any) -> dict[str, Any]:
        key = repr((source.text, sorted(asked.items())))
        if key not in known:
            known[key] = explore_in_a_worker(source, report=report, **asked)
        return deepcopy(known[key])

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(explorations, "explore", remembered)
        yield


@pytest.fixture
def version() -> Version:
    return stored_version(maze(CORRIDOR))


@pytest.fixture
def study(version: Version) -> Study:
    return make.study(pool=[version.environment], people=100)


def plays(study: Study, acts: list[Any], **how: Any) -> Attempt:
    return make.play(make.session(study), acts, **how)


def explore(version: Version, level: int = 1, nodes: int = 100) -> None:
    made = explorations.create(version, level, seed=0, limits=Limits(nodes=nodes, seconds=60), budget=3)
    explorations.do_exploration(made.pk)


def found(version: Version, level: int = 1) -> LevelStates:
    bring_up_to_date(Attempt.objects.all())
    return level_states(version_results(version, EVERYONE), level)


def text(client: Client, address: str, **query: str | int) -> str:
    answer = client.get(address, query)
    assert answer.status_code == 200
    plain = re.sub(r"<(script|svg)\b.*?</\1>|<[^>]+>", " ", answer.content.decode(), flags=re.S)
    return re.sub(r"\s+", " ", unescape(plain))


def heading(client: Client, address: str = PAGE.format(1), **query: str | int) -> str:
    shown = re.search(r"<h1>(.*?)</h1>", client.get(address, query).content.decode())
    assert shown is not None
    return unescape(shown[1])


def test_the_heading_answers_where_people_stopped(designer: Client, version: Version, study: Study) -> None:
    assert heading(designer) == "Nobody has reached level 1 yet"
    plays(study, WIN)
    assert heading(designer) == "Nobody has stopped on level 1: 1 person completed it"
    plays(study, [2, 2])
    assert heading(designer) == "Level 1: 1 of 1 who stopped was at most 3 actions from a win"
    plays(study, TO_DEAD_END)
    explore(version)
    assert heading(designer) == "Level 1: 1 of 2 who stopped could no longer win"
    plays(study, TO_LOSS)
    assert heading(designer) == "Level 1: 2 of 3 who stopped could no longer win"


def test_without_an_exploration_the_page_shows_what_people_found(
    designer: Client, version: Version, study: Study
) -> None:
    plays(study, TO_DEAD_END)
    page = text(designer, PAGE.format(1))
    assert "Level 1: 1 of 1 who stopped had no known way to a win" in page
    assert "Nobody has explored this level" in page
    assert Outlook.DEAD_END not in set(found(version).outlooks.outlook.tolist())
    explore(version, nodes=3)
    assert (
        "stopped after 3 states, by its limit on nodes, so a way to a win may be shorter than is known"
        in text(designer, PAGE.format(1))
    )
    ExploredStates.objects.all().delete()
    assert "are not kept: there are too many" in text(designer, PAGE.format(1))


def test_only_the_people_of_the_scope_count(designer: Client, version: Version, study: Study) -> None:
    explore(version)
    plays(study, [2, 2])
    out = plays(study, TO_DEAD_END)
    settled(out.session, staff(Role.LEAD), DecisionKind.EXCLUDE_SESSION, "did_not_try")
    rehearsal = make.study(pool=[version.environment], rehearsal=True, people=5)
    plays(rehearsal, TO_LOSS)
    assert heading(designer) == "Level 1: 1 of 1 who stopped was 3 actions from a win"
    assert heading(designer, excluded="with").startswith("Level 1: 1 of 2 who")
    assert heading(designer, study=rehearsal.pk).startswith("Level 1: 1 of 1 who")
    assert designer.get(PAGE.format(9)).status_code == 404


def test_many_states_of_a_column_share_a_mark_that_lists_them(designer: Client) -> None:
    wide: Rooms = {0: (1, 2, 3, 4, 5), **dict.fromkeys(range(3, 8), (8, 0)), 8: ("win",)}
    wide = {**wide, 1: (8, 6), 2: (8, 7)}
    version = stored_version(maze(wide))
    study = make.study(pool=[version.environment], people=100)
    explore(version)
    for acts in ([1], [2], [3], [4], [5], [1, 2], [2, 2]):
        plays(study, acts)
    figure = designer.get("/staff/environments/xx02/figures/states-1.json").json()
    gathered = next(row for row in figure["rows"] if row["states"] > 1)
    assert (gathered["states"], gathered["people"], gathered["stopped"]) == (2, 2, 2)
    listed = text(designer, gathered["href"])
    assert "7 states of people: a win can be reached" in listed
    assert designer.get(f"{PAGE.format(1)}list/", {"outlook": "bad"}).status_code == 404


def test_two_versions_are_drawn_on_one_scale(designer: Client, version: Version, study: Study) -> None:
    explore(version)
    for acts in (TO_DEAD_END, TO_DEAD_END, [2, 2]):
        plays(study, acts)
    mended = stored_version(maze({**CORRIDOR, 2: (3, 2)}))
    explore(mended)
    before = {"before": version.digest}
    assert heading(designer, **before) == "Nobody has reached level 1 yet"
    plays(study, TO_DEAD_END)
    page = text(designer, PAGE.format(1), **before)
    assert "who stopped was 4 actions from a win" in page
    assert re.search(
        rf"Version {version.digest[:8]} .*2 ?stopped in a dead end|stopped in a dead end 2", page
    )
    drawn = [
        designer.get(f"/staff/environments/xx02/figures/{name}-1.json", before).json()
        for name in ("states", "states-before")
    ]
    scales = [[one["options"][name] for name in ("farthest", "step", "most_people")] for one in drawn]
    assert scales[0] == scales[1] == [5, 1, 3]
    assert drawn[1]["title"].startswith(f"Version {version.digest[:8]}: ")
    for row in drawn[1]["rows"]:
        assert f"version={version.digest}" in row["href"]
        assert designer.get(row["href"]).status_code == 200
    assert designer.get("/staff/environments/xx02/figures/states-before-1.json").status_code == 404
