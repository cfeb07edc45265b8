"""The board and its gates: requirements of each move, rights, and the stored evidence."""

import pytest
from django.test import Client
from django.urls import reverse

from playtest.insight.services.pipeline import move
from playtest.people.roles import Role
from playtest.people.services import new_participant
from playtest.play.errors import Refusal
from playtest.play.models import Session, Study
from playtest.play.sessions.services import create_session
from playtest.play.sessions.studies import change_study
from playtest.review.models import DecisionKind
from playtest.rules.attempt import Outcome
from playtest.rules.pipeline import Need
from playtest.studio.models import Environment, StageMove, WaiverState
from playtest.studio.services.waivers import waive
from tests import make
from tests.insight.stages import card, newer_version, played_by_the_team, qualify, ready_inside, search
from tests.live.games import WALK
from tests.make import verdict
from tests.review.cases import settled
from tests.staff import signed_in, staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]

ENOUGH = [2] * 31


@pytest.fixture
def walk() -> Environment:
    return make.environment()


def to_external(walk: Environment) -> None:
    ready_inside(walk)
    move(walk, "internal", None, "")
    played_by_the_team(walk)
    qualify(walk)
    for level in range(2, 7):
        search(walk, level, 0.00001)
    move(walk, "external", staff(Role.LEAD), "")


def refused(walk: Environment, to: str, reason: str = "") -> Refusal:
    with pytest.raises(Refusal) as raised:
        move(walk, to, None, reason)
    return raised.value


def people(study: Study, solvers: int, others: int) -> None:
    for _ in range(solvers):
        make.play(make.session(study), [*ENOUGH, *WALK], Outcome.COMPLETED)
    for _ in range(others):
        make.play(make.session(study), [*ENOUGH, *WALK[:4]])


def test_a_specification_needs_a_card_a_note_and_an_owner(walk: Environment) -> None:
    assert card().blocks == (
        "It needs a specification card.",
        "It needs a designer's note.",
        "It needs an owner.",
    )
    assert refused(walk, "internal").code == "gate_unmet"
    ready_inside(walk)
    assert card().blocks == ()
    made = move(walk, "internal", staff(Role.DESIGNER), "")
    assert (made.before, made.after, made.version) == ("specification", "internal", walk.current)
    assert made.evidence["version"]["data"] == {"digest": made.version.digest if made.version else ""}


def test_ten_people_decide_and_a_return_includes_replays(walk: Environment) -> None:
    to_external(walk)
    assert card().blocks[0].startswith("10 more people must try it")
    people(make.study(), solvers=1, others=9)
    assert card().blocks[0].startswith("Back to its developer: 1 of 10")
    assert refused(walk, "done").code == "gate_unmet"
    assert refused(walk, "internal", "  ").code == "reason_missing"
    made = move(walk, "internal", staff(Role.LEAD), "Level 2 loses everyone.")
    gate = made.evidence["acceptance"]
    assert (gate["gate"], gate["people"], gate["solvers"], len(gate["replays"])) == ("back", 10, 1, 3)
    returned = card().returned
    assert returned is not None
    assert (returned.reason, returned.moved_by) == ("Level 2 loses everyone.", staff(Role.LEAD))
    page = signed_in(Role.DESIGNER).get(reverse("insight:board")).content.decode()
    assert "Sent back from External:" in page
    first = reverse("review:attempt", args=[gate["replays"][0]["attempt"]])
    assert f"{first}#level={gate['replays'][0]['level']}" in page
    studio = signed_in(Role.DESIGNER).get(reverse("studio:environment", args=["wk01"])).content.decode()
    assert "Level 2 loses everyone." in studio
    assert first in studio


def test_two_solvers_of_ten_move_to_done_and_the_evidence_outlasts_exclusions(walk: Environment) -> None:
    to_external(walk)
    people(make.study(), solvers=2, others=8)
    made = move(walk, "done", None, "")
    solver = Session.objects.filter(attempts__outcome=Outcome.COMPLETED.value)[0]
    settled(solver, staff(Role.LEAD), DecisionKind.EXCLUDE_SESSION, "did_not_try")
    assert verdict(walk).solvers == 1
    assert StageMove.objects.get(pk=made.pk).evidence["accepted"]["data"]["solvers"] == 2
    assert card().onward is None


def test_an_accepted_version_without_a_qualification_is_not_done(walk: Environment) -> None:
    to_external(walk)
    newer_version(walk)
    people(make.study(), solvers=2, others=8)
    walk.refresh_from_db()
    assert card().unsound
    assert refused(walk, "done").message.startswith("It needs a full qualification.")
    qualify(walk)
    for level in range(2, 7):
        search(walk, level, 0.00001)
    assert move(walk, "done", None, "").evidence["qualified"]["met"]


def test_what_is_sent_back_is_given_to_nobody_who_has_not_begun_it(walk: Environment) -> None:
    to_external(walk)
    study = make.study(name="Spring", pool=[walk, make.environment("rn01")])
    begun = [make.play(make.session(study), [4], None) for _ in range(2)]
    (opened,) = [one for one in begun if one.environment == walk]
    assert "sent back" not in signed_in(Role.LEAD).get(reverse("people:home")).content.decode()
    move(walk, "internal", staff(Role.LEAD), "Level 2 loses everyone.")
    given = [make.play(make.session(study), [4], None).environment.code for _ in range(3)]
    assert given == ["rn01"] * 3
    opened.refresh_from_db()
    assert opened.ended_at is None
    lead = signed_in(Role.LEAD)
    page = " ".join(lead.get(reverse("insight:study", args=[study.pk])).content.decode().split())
    assert "1 environment of the pool was sent back, so nobody is given it any more" in page
    home = lead.get(reverse("people:home")).content.decode()
    assert "open study has environments that were sent back" in home
    assert "Spring: wk01. Nobody is given them now" in home
    change_study(study, pool=[walk], reason="Only this one is left.")
    with pytest.raises(Refusal, match="given to nobody: wk01") as raised:
        create_session(study, new_participant(), None)
    assert raised.value.code == "study_full"
    assert make.play(make.session(make.study(pool=[walk], rehearsal=True)), [4], None).environment == walk


def test_a_lead_is_told_of_a_version_with_the_public_that_did_not_pass(walk: Environment) -> None:
    def told() -> bool:
        home = signed_in(Role.LEAD).get(reverse("people:home")).content.decode()
        return "environment has a version with the public that did not pass" in home

    to_external(walk)
    make.study(pool=[walk], open=False)
    newer_version(walk)
    assert not told(), "nobody is given it"
    make.study(pool=[walk])
    assert told()
    walk.refresh_from_db()
    for need in (Need.QUALIFIED, Need.UNGUESSABLE):
        waive(walk, need, "It is a test.", None)
    assert not told()
    waive(walk, Need.QUALIFIED, "It is needed after all.", None, WaiverState.ENDED)
    assert told()


def test_an_impossible_move_is_refused_with_a_code(walk: Environment) -> None:
    assert refused(walk, "nowhere").code == "stage_unknown"
    assert refused(walk, "done").code == "no_such_move"
    ready_inside(walk)
    Environment.objects.update(stage="external")
    assert refused(walk, "internal").code == "environment_changed"
    assert not StageMove.objects.exists()


def post(client: Client, **said: str) -> str:
    answer = client.post(reverse("insight:board-move", args=["wk01"]), said, follow=True)
    return answer.content.decode()


def test_the_board_moves_cards_explains_refusals_and_checks_the_right(walk: Environment) -> None:
    lead = signed_in(Role.LEAD)
    assert "gate_unmet" in post(lead, to="internal")
    ready_inside(walk)
    assert "wk01 is now in Internal" in post(lead, to="internal")
    assert "reason_missing" in post(lead, to="specification")
    assert "wk01 is now in Specification" in post(lead, to="specification", reason="Too early.")
    assert reverse("insight:board-move", args=["wk01"]) in lead.get(reverse("insight:board")).content.decode()
    engineer = signed_in(Role.ENGINEER).get(reverse("insight:board")).content.decode()
    assert reverse("insight:board-move", args=["wk01"]) not in engineer


@pytest.mark.services
def test_the_board_search_matches_every_word_and_counts_the_results(walk: Environment) -> None:
    ready_inside(walk)
    Environment.objects.filter(pk=walk.pk).update(title="Long walk", release_set="semi_private")
    for number in range(43):
        Environment.objects.create(code=f"z{number:03d}", title="Another")
    client = signed_in(Role.DESIGNER)

    def cards(search: str) -> list[str]:
        page = client.get(reverse("insight:board"), {"q": search})
        return [card.environment.code for column in page.context["columns"] for card in column.cards]

    assert len(cards("")) == 44
    for query in ("wk01", "WALK", "semi-private", "long designer", "wk01 walk semi"):
        assert cards(query) == ["wk01"], query
    assert cards("walk another") == cards("none") == []
    found = client.get(reverse("insight:board"), {"q": "z00"}).content.decode()
    assert "10 of 44 environments found" in found
    assert "Show all 44" in found
    nothing = client.get(reverse("insight:board"), {"q": "<nothing>"}).content.decode()
    assert "No environment has “&lt;nothing&gt;”" in nothing
