"""Action patterns: the page agrees with the attempts' official recordings, counted plainly."""

import json
import math
import random
import re
from collections import Counter, defaultdict
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from playwright.sync_api import Page, expect

from playtest.insight.compute.results import bring_up_to_date
from playtest.insight.models import LevelResult
from playtest.insight.pages.action_patterns import reading
from playtest.insight.pages.action_patterns.reading import PatternCache, patterns_on
from playtest.insight.scope import EVERYONE
from playtest.insight.tables.version import VersionResults, version_results
from playtest.people.roles import Role
from playtest.play.models import Attempt, Entry, Study
from playtest.review.models import DecisionKind
from playtest.rules.action_patterns import dead_cells, dead_clicks, failing_patterns, tree
from tests import make
from tests.accessibility import violations
from tests.browsing import ORIGIN, browse
from tests.review.cases import settled
from tests.staff import signed_in, staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]

LAMP = (5, 22)
PAGE = "/staff/environments/ck01/levels/{}/tried/"


@pytest.fixture(autouse=True)
def empty_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    """Attempts of other tests had the same numbers."""
    monkeypatch.setattr(reading, "CACHE", PatternCache())


@pytest.fixture
def study() -> Study:
    return make.study("ck01", people=100)


@pytest.fixture
def designer() -> Client:
    return signed_in(Role.DESIGNER)


def plays(study: Study, acts: list[Any], **how: Any) -> Attempt:
    return make.play(make.session(study), acts, **how)


def clumsy(seed: int) -> list[Any]:
    """Clicks beside and on the lamp, resets and undos, and then the lamp of level 1 and more of the same."""
    drawn = random.Random(seed)
    beside = [(1, 1), (40, 40), (2, 50), (60, 3)]
    mixed = [drawn.choice([*beside, *beside, 0, 7, beside[0]]) for _ in range(drawn.randint(1, 30))]
    more = [drawn.choice([*beside, (5, 22), (15, 26), 0, 7]) for _ in range(30)]
    return [*mixed, LAMP, *more][: drawn.choice([3, 18, 60])]


def results() -> VersionResults:
    bring_up_to_date(Attempt.objects.all())
    return version_results(make.environment("ck01").current, EVERYONE)  # type: ignore[arg-type]


class Plain:
    """What one person did on a level, from the recording of the attempt alone."""

    def __init__(self, client: Client, attempt: Attempt, level: int) -> None:
        text = client.get(reverse("review:recording", args=[attempt.pk])).content.decode()
        turns = [json.loads(line)["data"] for line in text.splitlines()]
        turns = [turn for turn in turns if "frame" in turn]
        begin = next((at for at, turn in enumerate(turns) if turn["levels_completed"] == level - 1), None)
        self.reached = begin is not None
        self.told, self.cells, self.states, self.no_ops = [], Counter[Any](), [], 0
        if begin is None:
            return
        self.states = [self.state(turns[begin])]
        for before, turn in zip(turns[begin:], turns[begin + 1 :], strict=False):
            self.told.append(told := self.name(before["frame"][-1], turn["action_input"]))
            self.states.append(self.state(turn))
            if self.states[-1] == self.states[-2] and told != "0":
                self.no_ops += 1
                if told.startswith("6"):
                    data = turn["action_input"]["data"]
                    self.cells[data["x"], data["y"], told] += 1
            if turn["levels_completed"] >= level:
                self.states.pop()
                break

    @staticmethod
    def state(turn: dict[str, Any]) -> str:
        return json.dumps([turn["frame"][-1], turn["levels_completed"], turn["state"]])

    @staticmethod
    def name(frame: list[list[int]], given: dict[str, Any]) -> str:
        """The action; of a click the colour and the first of the cells that are reached from it."""
        action = given["id"] if isinstance(given["id"], int) else int(re.sub(r"\D", "", given["id"]) or 0)
        if action != 6:
            return str(action)
        x, y = given["data"]["x"], given["data"]["y"]
        reached, todo = {(y, x)}, [(y, x)]
        while todo:
            row, column = todo.pop()
            for near in ((row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)):
                inside = 0 <= near[0] < 64 and 0 <= near[1] < 64
                if inside and near not in reached and frame[near[0]][near[1]] == frame[y][x]:
                    reached.add(near)
                    todo.append(near)
        first = min(reached)
        return f"6:{frame[y][x]}:{first[1]}:{first[0]}"

    def patterns(self) -> Counter[str]:
        begin, found = 0, list[str]()
        for end in range(1, len(self.states)):
            backs = [at for at in range(max(begin, end - 12), end) if self.states[at] == self.states[end]]
            if backs:
                found.append(" ".join(self.told[backs[-1] : end]))
                begin = end
        return Counter({pattern: times for pattern, times in Counter(found).items() if times > 1})


def name(act: Any) -> str:
    return str(act.action) if act.colour is None else f"6:{act.colour}:{act.x}:{act.y}"


def test_every_number_is_that_of_the_recordings_counted_plainly(designer: Client, study: Study) -> None:
    attempts = [plays(study, clumsy(seed)) for seed in range(12)]
    for level in (1, 2):
        equal_to_the_recordings(designer, attempts, level)


def equal_to_the_recordings(designer: Client, attempts: list[Attempt], level: int) -> None:
    found = patterns_on(results(), level, math.inf)
    plain = {attempt.pk: Plain(designer, attempt, level) for attempt in attempts}
    plain = {pk: one for pk, one in plain.items() if one.reached}
    assert set(found.people) == set(plain)
    assert level == 1 or 0 < len(plain) < 12
    for pk, one in found.people.items():
        assert [name(act) for act in one.first] == plain[pk].told[:20]
        stored = LevelResult.objects.get(attempt=pk, level=level)
        assert (one.actions, one.no_ops) == (len(plain[pk].told), plain[pk].no_ops)
        assert (one.actions, one.no_ops) == (stored.actions, stored.no_ops)

    patterns: defaultdict[str, list[int]] = defaultdict(list)
    dead: defaultdict[str, Counter[int]] = defaultdict(Counter)
    cells = Counter[Any]()
    for pk, person in plain.items():
        for pattern, times in person.patterns().items():
            patterns[pattern].append(times)
        for (x, y, told), times in person.cells.items():
            dead[told][pk] += times
            cells[x, y] += times
    assert {
        " ".join(map(name, one.pattern)): (one.people, one.times) for one in failing_patterns(found.people)
    } == {pattern: (len(times), sum(times)) for pattern, times in patterns.items()}
    assert {name(one.act): (one.people, one.times) for one in dead_clicks(found.people)} == {
        told: (len(people), people.total()) for told, people in dead.items()
    }
    assert dead_cells(found.people.values()) == cells
    nodes = [(tuple(map(name, node.acts)), len(node.people)) for node in tree(firsts(found))]
    for path, people in nodes:
        assert people == sum(tuple(one.told[: len(path)]) == path for one in plain.values())
    assert sum(people for _, people in nodes) == sum(bool(one.told) for one in plain.values())


def firsts(found: reading.PatternsOnLevel) -> dict[int, Any]:
    return {pk: one.first for pk, one in found.people.items()}


def test_only_the_people_of_the_scope_count(designer: Client, study: Study) -> None:
    plays(study, [(1, 1)] * 3)
    out = plays(study, [(1, 1)] * 3)
    settled(out.session, staff(Role.LEAD), DecisionKind.EXCLUDE_SESSION, "did_not_try")
    rehearsal = plays(make.study("ck01", rehearsal=True, people=5), [(1, 1)] * 4)
    page = PAGE.format(1)
    assert "3 actions of 1 person on the level; 3 changed nothing" in text(designer, page)
    assert "6 actions of 2 people" in text(designer, page, excluded="with")
    assert "4 actions of 1 person" in text(designer, page, study=rehearsal.session.study_id)
    assert "Nobody has reached level 2 yet" in text(designer, PAGE.format(2))
    assert designer.get(PAGE.format(9)).status_code == 404
    rows = designer.get("/staff/environments/ck01/figures/dead-clicks-1.json").json()["rows"]
    assert rows == [{"x": 1, "y": 1, "value": 3}]


def test_who_may_not_watch_sees_names_without_replays(study: Study) -> None:
    attempt = plays(study, [(1, 1)] * 3)
    page = signed_in(Role.ENGINEER).get(PAGE.format(1)).content.decode()
    assert attempt.participant.label in page
    assert "/staff/attempts/" not in page
    lead = signed_in(Role.LEAD).get(PAGE.format(1)).content.decode()
    assert f"/staff/attempts/{attempt.pk}/#action=3" in lead
    assert f"/staff/attempts/{attempt.pk}/moment.png?action=0" in lead


def test_many_journals_are_read_a_part_at_a_time_and_an_open_level_again(study: Study) -> None:
    attempts = [plays(study, [(1, 1)] * 3) for _ in range(3)]
    opened = plays(study, [(1, 1)], outcome=None)
    assert [patterns_on(results(), 1, 0).unread for _ in range(4)] == [3, 2, 1, 0]
    assert patterns_on(results(), 1, 0).people[opened.pk].actions == 1
    newest = opened.entries.values().get(seq=1)
    Entry.objects.bulk_create([Entry(**newest | {"id": None, "seq": 2})])
    assert patterns_on(results(), 1, 0).people[opened.pk].actions == 2
    assert patterns_on(results(), 1, 0).people[attempts[0].pk].actions == 3


def test_a_damaged_journal_is_told_and_the_others_are_shown(designer: Client, study: Study) -> None:
    plays(study, [(1, 1)] * 3)
    damaged = plays(study, [(1, 1)], outcome=None)
    newest = damaged.entries.values().get(seq=1)
    Entry.objects.bulk_create([Entry(**newest | {"id": None, "seq": 2, "frames": b"none"})])
    page = text(designer, PAGE.format(1))
    assert "The journals of 1 person cannot be read" in page
    assert "3 actions of 1 person on the level" in page


def text(client: Client, address: str, **query: str | int) -> str:
    answer = client.get(address, query)
    assert answer.status_code == 200
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", answer.content.decode())))


def test_the_tree_opens_by_keyboard_and_leads_to_replays(
    page: Page, designer: Client, study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading.patterns_on, "__defaults__", (0.0,))
    first = plays(study, [(1, 1), (1, 1), (40, 40), LAMP])
    for acts in ([(1, 1), (1, 1), 7], [(1, 1), (1, 1), 0], [LAMP]):
        plays(study, acts)
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    browse(page, designer)
    page.set_viewport_size({"width": 390, "height": 800})
    page.goto(f"{ORIGIN}{PAGE.format(1)}")
    expect(page.locator("h1")).to_have_text("Level 1: 4 people began in 2 ways")
    expect(page.locator("reading-on")).to_have_count(0)
    branch = page.locator(".tree summary").first
    expect(branch).to_contain_text("3 people, 75 %")
    leaf = page.locator(".tree").get_by_role("link", name=first.participant.label).last
    expect(leaf).to_be_visible()
    branch.focus()
    page.keyboard.press("Enter")
    expect(leaf).to_be_hidden()
    page.keyboard.press("Enter")
    expect(page.locator("#figure-dead-clicks-1 svg.plot")).to_be_visible()
    expect(page.locator("#figure-dead-clicks-1-title")).to_contain_text("clicks by 3 people changed nothing")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    leaf.click()
    page.wait_for_url(re.compile(rf"/staff/attempts/{first.pk}/#action=4$"))
    expect(page.locator("replay-player")).to_have_attribute("data-seq", "4")
    assert said == []
    page.go_back()
    expect(page.locator("#figure-dead-clicks-1 svg.plot")).to_be_visible()
    assert violations(page) == []
