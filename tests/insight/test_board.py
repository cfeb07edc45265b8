"""The board and the gates: what blocks a next step, who may move, and what is kept as evidence."""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from engine.qualify import RULES
from playtest.insight.queries.acceptance import verdict
from playtest.insight.queries.board import Card, board
from playtest.insight.services.pipeline import move
from playtest.people.roles import Role
from playtest.play.clock import now
from playtest.play.errors import Refusal
from playtest.play.models import Session, Study
from playtest.review.models import DecisionKind
from playtest.review.services.decisions import decide
from playtest.rules.attempt import Outcome
from playtest.runs.models import RunStatus
from playtest.studio.models import (
    Environment,
    Exploration,
    Qualification,
    RandomPlay,
    Recording,
    RecordingKind,
    StageMove,
    Version,
)
from tests import sittings
from tests.live.games import WALK
from tests.staff import signed_in, staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]

ENOUGH = [2] * 31


@pytest.fixture
def walk() -> Environment:
    return sittings.environment()


def card() -> Card:
    (found,) = [card for column in board() for card in column.cards]
    return found


def ready_inside(walk: Environment) -> None:
    """All that is needed to go from Specification to Internal."""
    walk.note, walk.owner = "Walk to the goal.", staff(Role.DESIGNER)
    walk.save()


def qualify(walk: Environment, *, full: bool = True, passed: bool = True, rules: int = RULES) -> None:
    assert walk.current is not None
    Qualification.objects.create(
        version=walk.current,
        seed=1,
        steps=1,
        status=RunStatus.DONE,
        full=full,
        passed=passed,
        report={"rules": rules},
        requested_at=now(),
    )


def record(walk: Environment) -> None:
    """Each level is won by three moves."""
    assert walk.current is not None
    Recording.objects.create(
        version=walk.current,
        kind=RecordingKind.WIN,
        name="win",
        actions=[[act, None, None] for act in WALK],
        levels_completed=[done // 3 for done in range(len(WALK) + 1)],
        made_at=now(),
    )


def search(
    walk: Environment,
    level: int,
    upper: float,
    *,
    fully: bool = True,
    within: float = 1.0,
    lower: float = 0.0,
    budget: int = 15,
) -> None:
    assert walk.current is not None
    report = {
        "nodes": 20,
        "fully_explored": fully,
        "stopped_by": None if fully else "nodes",
        "p_win": {"lower": 0.0, "upper": upper, "exact": None},
        "p_win_within": {"steps": budget, "lower": lower, "upper": within, "exact": None},
    }
    Exploration.objects.create(
        version=walk.current,
        seed=1,
        level=level,
        status=RunStatus.DONE,
        report=report,
        requested_at=now(),
    )


def tried(walk: Environment, level: int, tries: int, *, seed: int = 1, budget: int = 15) -> None:
    assert walk.current is not None
    RandomPlay.objects.create(
        version=walk.current,
        level=level,
        seed=seed,
        number=0,
        budget=budget,
        status=RunStatus.DONE,
        report={"tries": tries, "wins": []},
        requested_at=now(),
    )


def newer_version(walk: Environment) -> Version:
    """Another version, current from now on."""
    assert walk.current_id is not None
    newer = Version.objects.get(pk=walk.current_id)
    newer.pk, newer.digest, newer.imported_at = None, "e" * 64, now() + timedelta(seconds=1)
    newer.source += "\n# newer\n"
    newer.save()
    Environment.objects.filter(pk=walk.pk).update(current=newer)
    return newer


def to_external(walk: Environment) -> None:
    ready_inside(walk)
    move(walk, "internal", None, "")
    qualify(walk)
    for level in range(2, 7):
        search(walk, level, 0.00001)
    move(walk, "external", staff(Role.LEAD), "")


def refused(walk: Environment, to: str, words: str = "") -> Refusal:
    with pytest.raises(Refusal) as raised:
        move(walk, to, None, words)
    return raised.value


def people(study: Study, solvers: int, others: int) -> None:
    for _ in range(solvers):
        sittings.play(sittings.sit_down(study), [*ENOUGH, *WALK], Outcome.COMPLETED)
    for _ in range(others):
        sittings.play(sittings.sit_down(study), [*ENOUGH, *WALK[:4]])


@pytest.mark.services
def test_a_specification_needs_a_note_and_an_owner(walk: Environment) -> None:
    assert card().blocks == ("It needs a designer's note.", "It needs an owner.")
    assert refused(walk, "internal").code == "gate_unmet"
    ready_inside(walk)
    assert card().blocks == ()
    made = move(walk, "internal", staff(Role.DESIGNER), "")
    assert (made.before, made.after, made.version) == ("specification", "internal", walk.current)
    assert made.evidence["version"]["data"] == {"digest": made.version.digest if made.version else ""}


def test_only_a_full_qualification_of_the_current_version_lets_anything_out(walk: Environment) -> None:
    ready_inside(walk)
    move(walk, "internal", None, "")
    for level in range(2, 7):
        search(walk, level, 0.00001)
    assert card().blocks == ("It needs a full qualification.",)
    qualify(walk, full=False)
    assert card().blocks == ("It needs a full qualification.",)
    qualify(walk, passed=False)
    assert card().blocks == ("The latest full qualification did not pass.",)
    qualify(walk)
    assert card().blocks == ()
    newer_version(walk)
    assert card().blocks[0] == "It needs a full qualification."
    assert card().blocks[1].startswith("Level 2: no win is known")
    assert card().blocks[1].endswith("Also not shown to be hard enough: levels 3, 4, 5, 6.")


@pytest.mark.services
def test_what_passed_when_less_was_asked_is_qualified_again(walk: Environment) -> None:
    ready_inside(walk)
    move(walk, "internal", None, "")
    for level in range(2, 7):
        search(walk, level, 0.00001)
    qualify(walk, rules=1)
    assert card().blocks == ("The full qualification passed when less was asked: qualify it again.",)
    assert walk.current is not None
    Qualification.objects.create(
        version=walk.current, seed=1, steps=1, status=RunStatus.DONE, full=True, passed=True,
        requested_at=now(),
    )  # fmt: skip
    assert card().blocks == ("The full qualification passed when less was asked: qualify it again.",)
    qualify(walk)
    assert card().blocks == ()


@pytest.mark.services
def test_levels_past_the_first_must_be_too_hard_for_a_random_player(walk: Environment) -> None:
    ready_inside(walk)
    move(walk, "internal", None, "")
    qualify(walk)
    record(walk)
    search(walk, 1, 1.0)
    search(walk, 2, 0.0001)
    search(walk, 3, 1.0, within=0.00009)
    tried(walk, 4, 30_000)
    search(walk, 5, 0.001, within=0.001, lower=0.001)
    assert card().blocks[0].startswith("Level 5: a random player wins it within 15 actions with a chance of")
    Exploration.objects.filter(level=5).delete()
    search(walk, 5, 0.00005)
    tried(walk, 6, 12_400)
    assert card().blocks == (
        "Level 6: no win in 12,400 tries of 15 actions: at most 2.42 in 10,000 (95 %)."
        " 17,600 more tries are needed.",
    )
    tried(walk, 6, 17_600, seed=2)
    made = move(walk, "external", None, "")
    levels = made.evidence["unguessable"]["data"]["levels"]
    assert levels["4"] == "no win in 30,000 tries of 15 actions: at most 1 in 10,000 (95 %)"
    assert "1" not in levels


@pytest.mark.services
def test_no_search_that_was_limited_opens_the_gate_and_none_takes_away_what_is_known(
    walk: Environment,
) -> None:
    ready_inside(walk)
    move(walk, "internal", None, "")
    qualify(walk)
    record(walk)
    for level in range(3, 7):
        search(walk, level, 0.00001)
    search(walk, 2, 1.0, fully=False)
    assert "stopped by the limit on nodes) does not bound the chance" in card().blocks[0]
    search(walk, 2, 1.0, fully=False, within=0.0, budget=1)
    assert "does not bound the chance" in card().blocks[0]
    search(walk, 2, 1.0, within=0.25, lower=0.25)
    search(walk, 2, 1.0, fully=False, within=0.0, budget=1)
    assert card().blocks == ("Level 2: a random player wins it within 15 actions with a chance of 25 %.",)
    search(walk, 3, 1.0, fully=False)
    assert len(card().blocks) == 1


@pytest.mark.services
def test_ten_people_decide_and_what_comes_back_brings_its_replays(walk: Environment) -> None:
    to_external(walk)
    assert card().blocks[0].startswith("10 more people to come")
    people(sittings.study(), solvers=1, others=9)
    assert card().blocks[0].startswith("It goes back to its developer: 1 of 10")
    assert refused(walk, "done").code == "gate_unmet"
    assert refused(walk, "internal", "  ").code == "words_missing"
    made = move(walk, "internal", staff(Role.LEAD), "Level 2 loses everyone.")
    told = made.evidence["acceptance"]
    assert (told["gate"], told["people"], told["solvers"], len(told["replays"])) == ("back", 10, 1, 3)
    returned = card().returned
    assert returned is not None
    assert (returned.words, returned.moved_by) == ("Level 2 loses everyone.", staff(Role.LEAD))
    page = signed_in(Role.DESIGNER).get(reverse("insight:board")).content.decode()
    assert "Sent back from External:" in page
    first = reverse("review:attempt", args=[told["replays"][0]["attempt"]])
    assert f"{first}#level={told['replays'][0]['level']}" in page
    studio = signed_in(Role.DESIGNER).get(reverse("studio:environment", args=["wk01"])).content.decode()
    assert "Level 2 loses everyone." in studio
    assert first in studio


def test_what_two_of_ten_solve_is_done_and_its_evidence_stays_when_people_are_left_out(
    walk: Environment,
) -> None:
    to_external(walk)
    people(sittings.study(), solvers=2, others=8)
    made = move(walk, "done", None, "")
    solver = Session.objects.filter(attempts__outcome=Outcome.COMPLETED.value)[0]
    decide(solver, staff(Role.LEAD), DecisionKind.EXCLUDE_SESSION, "did_not_try")
    assert verdict(walk).solvers == 1
    assert StageMove.objects.get(pk=made.pk).evidence["accepted"]["data"]["solvers"] == 2
    assert card().onward is None


def test_what_people_accept_is_not_done_in_a_version_that_was_never_qualified(walk: Environment) -> None:
    to_external(walk)
    newer_version(walk)
    people(sittings.study(), solvers=2, others=8)
    walk.refresh_from_db()
    assert card().newer
    assert refused(walk, "done").message.startswith("It needs a full qualification.")
    qualify(walk)
    for level in range(2, 7):
        search(walk, level, 0.00001)
    assert move(walk, "done", None, "").evidence["qualified"]["met"]


def test_what_cannot_be_is_refused_with_a_code(walk: Environment) -> None:
    assert refused(walk, "nowhere").code == "stage_unknown"
    assert refused(walk, "done").code == "no_such_move"
    ready_inside(walk)
    Environment.objects.update(stage="external")
    assert refused(walk, "internal").code == "environment_changed"
    assert not StageMove.objects.exists()


def post(client: Client, **said: str) -> str:
    answer = client.post(reverse("insight:board-move", args=["wk01"]), said, follow=True)
    return answer.content.decode()


def test_the_board_moves_says_what_it_refuses_and_offers_it_to_few(walk: Environment) -> None:
    lead = signed_in(Role.LEAD)
    assert "gate_unmet" in post(lead, to="internal")
    ready_inside(walk)
    assert "wk01 is in Internal now" in post(lead, to="internal")
    assert "words_missing" in post(lead, to="specification")
    assert "wk01 is in Specification now" in post(lead, to="specification", words="Too early.")
    assert reverse("insight:board-move", args=["wk01"]) in lead.get(reverse("insight:board")).content.decode()
    engineer = signed_in(Role.ENGINEER).get(reverse("insight:board")).content.decode()
    assert reverse("insight:board-move", args=["wk01"]) not in engineer


@pytest.mark.services
def test_the_board_is_searched_for_every_word_and_says_what_it_left_out(walk: Environment) -> None:
    ready_inside(walk)
    Environment.objects.filter(pk=walk.pk).update(title="Long walk", release_set="semi_private")
    for number in range(43):
        Environment.objects.create(code=f"z{number:03d}", title="Another")
    client = signed_in(Role.DESIGNER)

    def cards(search: str) -> list[str]:
        page = client.get(reverse("insight:board"), {"q": search})
        return [card.environment.code for column in page.context["columns"] for card in column.cards]

    assert len(cards("")) == 44
    for search in ("wk01", "WALK", "semi-private", "long designer", "wk01 walk semi"):
        assert cards(search) == ["wk01"], search
    assert cards("walk another") == cards("none") == []
    found = client.get(reverse("insight:board"), {"q": "z00"}).content.decode()
    assert "10 of 44 environments found" in found
    assert "Show all 44" in found
    nothing = client.get(reverse("insight:board"), {"q": "<nothing>"}).content.decode()
    assert "No environment has “&lt;nothing&gt;”" in nothing


def test_an_empty_board_says_what_will_come() -> None:
    assert (
        "There are no environments yet" in signed_in(Role.LEAD).get(reverse("insight:board")).content.decode()
    )


@pytest.mark.services
def test_a_new_version_leaves_attempts_and_baselines_of_the_old_one_alone(walk: Environment) -> None:
    study = sittings.study()
    attempt = sittings.play(sittings.sit_down(study), [*ENOUGH, *WALK], Outcome.COMPLETED)
    old = walk.current
    assert old is not None
    address = reverse("insight:baseline", args=["wk01"])
    client = signed_in(Role.DESIGNER)
    before = client.get(address, {"version": old.digest[:8]}).context["report"].levels
    newer = newer_version(walk)
    attempt.refresh_from_db()
    assert attempt.version == old
    assert client.get(address, {"version": old.digest[:8]}).context["report"].levels == before
    fresh = client.get(address).context["report"]
    assert (fresh.version, [level.baseline.completers for level in fresh.levels]) == (newer, [0] * 6)
