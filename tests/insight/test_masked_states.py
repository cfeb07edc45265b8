"""Level results, states and effort evidence without counters, and who decides which cells these are."""

import pytest
from django.core.management import call_command

from engine.play.frames import Frame
from engine.prove.masks import RULES, Found, cells_of, nothing
from playtest.insight.compute.journal import wrong_results
from playtest.insight.compute.results import bring_up_to_date
from playtest.insight.models import LevelResult
from playtest.insight.pages.states.level import level_states
from playtest.insight.scope import EVERYONE
from playtest.insight.services.masks import apply_masks, find_due_masks, find_mask
from playtest.insight.tables.version import version_results
from playtest.people.roles import Role
from playtest.play.models import Attempt
from playtest.review.queries.effort_evidence import evidence
from playtest.rules.errors import RuleError
from playtest.studio.models import StateMask, Version
from playtest.studio.queries.masks import masks_in, masks_of
from playtest.studio.services.masks import decide, keep_found
from tests import make
from tests.engine.mazes import maze
from tests.review.tampering import unprotect
from tests.staff import signed_in, staff
from tests.studio.test_explorations import stored_version

pytestmark = [pytest.mark.django_db, pytest.mark.once]

COUNTER = "0 63 64 1"
MARK = "; ".join(
    (
        'self.ticks, self.mark = 0, Sprite([[8]], name="mark")',
        "level.add_sprite(self.mark)",
        "self.mark.set_position(0, 63)",
    )
)
TICK = "self.ticks += 1; self.mark.set_position(self.ticks % 64, 63)"
DONE = [1, 1, 2, 1]
"""Twice against the wall of room 0, to room 1 and back."""


@pytest.fixture
def version() -> Version:
    return stored_version(maze({0: (0, 1), 1: (0, "win")}, prepare=MARK, step=TICK))


@pytest.fixture
def attempt(version: Version) -> Attempt:
    study = make.study(pool=[version.environment], people=10)
    return make.play(make.session(study), DONE)


def counts(attempt: Attempt) -> tuple[int, int, int, int | None]:
    [level] = LevelResult.objects.filter(attempt=attempt)
    return level.no_ops, level.repeated_states, level.unique_states, level.first_change


def found(area: str) -> Found:
    column, row, width, height = map(int, area.split()) if area else (0, 0, 0, 0)
    cells = cells_of([(column, row, width, height)]) if area else nothing()
    return Found(cells, nothing(), stretches=9, actions=300)


def test_level_results_are_computed_again_when_a_mask_is_found(attempt: Attempt) -> None:
    bring_up_to_date(Attempt.objects.all())
    assert counts(attempt) == (0, 0, 5, 1)
    keep_found(attempt.version, found(COUNTER), 1)
    assert list(wrong_results(Attempt.objects.all())) == []  # what is still to be computed is no finding
    assert apply_masks() == 1
    assert counts(attempt) == (2, 3, 2, 3)
    assert list(wrong_results(Attempt.objects.all())) == []
    assert apply_masks() == 0


@pytest.mark.services
def test_a_rebuild_applies_a_new_mask(attempt: Attempt) -> None:
    bring_up_to_date(Attempt.objects.all())
    decide(attempt.version, COUNTER, "the counter", staff(Role.DESIGNER))
    call_command("rebuild", verbosity=0)
    assert counts(attempt) == (2, 3, 2, 3)
    assert not StateMask.objects.filter(applied_at=None).exists()


def test_nothing_that_is_found_replaces_a_decision(version: Version) -> None:
    keep_found(version, found("0 0 9 9"), 1)
    by = staff(Role.DESIGNER)
    decide(version, COUNTER, "the counter", by)
    later = keep_found(version, found("0 0 3 3"), 2)
    assert (masks_of([version.pk])[version.pk] == found(COUNTER).mask).all()
    assert masks_in(version).decided.decided_by == by  # type: ignore[union-attr]
    assert later.applied_at is not None
    decide(version, "", "there is none", by)
    assert masks_of([version.pk]) == {}


@pytest.mark.parametrize("areas", ["0 0 64", "60 0 5 1", "a b c d", "0 0 0 1", "-1 0 2 2"])
def test_what_is_no_rectangle_is_refused(version: Version, areas: str) -> None:
    with pytest.raises(RuleError) as refused:
        decide(version, areas, "the counter", staff(Role.DESIGNER))
    assert refused.value.code == "bad_areas"
    with pytest.raises(RuleError) as refused:
        decide(version, COUNTER, " ", staff(Role.DESIGNER))
    assert refused.value.code == "reason_missing"


def test_states_and_effort_leave_the_cells_out(attempt: Attempt) -> None:
    decide(attempt.version, COUNTER, "the counter", staff(Role.DESIGNER))
    apply_masks()
    bring_up_to_date(Attempt.objects.all())
    states = level_states(version_results(attempt.version, EVERYONE), 1)
    assert len(states.uses) == 2
    [seen] = evidence(attempt.session, [attempt])
    assert [act.changed for act in seen.acts] == [False, False, True, True]


def test_a_designer_sees_the_cells_and_corrects_them(version: Version) -> None:
    keep_found(version, found("0 0 9 9"), 1)
    page = "/staff/environments/xx02/studio/masked-cells/"
    designer = signed_in(Role.DESIGNER)
    shown = designer.get(page).content.decode()
    assert '<rect class="masked" x="0" y="0" width="9" height="9"/>' in shown
    answer = designer.post(f"{page}decide/", {"areas": COUNTER, "reason": "the counter"}, follow=True)
    assert '<rect class="masked" x="0" y="63" width="64" height="1"/>' in answer.content.decode()
    refused = designer.post(f"{page}decide/", {"areas": "1", "reason": "x"}, follow=True)
    assert "bad_areas" in refused.content.decode()
    assert 'rows="5">1</textarea>' in refused.content.decode()


def test_recorded_and_random_play_are_looked_at_once_and_again_when_there_is_more(
    version: Version, monkeypatch: pytest.MonkeyPatch
) -> None:
    def none(_version: Version) -> dict[int, Frame]:
        return {}

    monkeypatch.setattr("playtest.insight.services.masks.first_frames_of", none)
    study = make.study(pool=[version.environment], people=100)
    for number in range(8):
        make.play(
            make.session(study), [1 + (count * (number + 1)) % 7 % 2 * (count % 2) for count in range(20)]
        )
    assert find_due_masks() == 1
    mask = masks_in(version).found
    assert mask is not None
    assert (mask.attempts, mask.stretches >= 1) == (8, True)
    assert find_due_masks() == 0
    assert find_mask(version).attempts == 8
    unprotect()
    StateMask.objects.update(rules=RULES - 1)
    assert (find_due_masks(), find_due_masks()) == (1, 0)
