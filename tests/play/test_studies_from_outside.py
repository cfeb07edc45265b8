"""Attempts of studies from outside are never counted with those of people who were here."""

import pytest

from playtest.insight.scope import EVERYONE, Scope
from playtest.people.participants import Directory
from playtest.people.services import new_participants
from playtest.play.clock import now
from playtest.play.errors import Refusal
from playtest.play.models import Attempt, OutsideStudy, Study
from playtest.play.sessions.reads import OUTSIDE, REAL, REHEARSED, whose
from playtest.play.sessions.studies import change_study
from playtest.review.queries.comparisons import best_runs
from playtest.review.queries.queue import drawn
from playtest.rules.attempt import Outcome
from tests import make
from tests.live.games import WALK

pytestmark = [pytest.mark.django_db, pytest.mark.once]


def from_outside(study: Study) -> OutsideStudy:
    return OutsideStudy.objects.create(study=study, source="a data set", licence="MIT", imported_at=now())


@pytest.mark.services
def test_a_scope_must_name_a_study_from_outside() -> None:
    here, elsewhere, rehearsal = make.study(), make.study(review_share=1.0), make.study(rehearsal=True)
    own = make.play(make.session(here), [*[0] * 40, *WALK], Outcome.COMPLETED)
    imported = make.play(make.session(elsewhere), [*[0] * 35, *WALK], Outcome.COMPLETED)
    rehearsed = make.play(make.session(rehearsal), [*[0] * 35, *WALK], Outcome.COMPLETED)
    from_outside(elsewhere)
    elsewhere = Study.objects.get(pk=elsewhere.pk)
    assert [list(Attempt.objects.filter(which)) for which in (REAL, OUTSIDE, REHEARSED)] == [
        [own],
        [imported],
        [rehearsed],
    ]
    assert list(Attempt.objects.filter(whose(elsewhere))) == list(Scope(elsewhere).attempts) == [imported]
    assert list(EVERYONE.attempts) == [own]
    assert {run.attempt_id for run in best_runs(Attempt.objects.get(pk=imported.pk))} == {imported.pk}
    assert not drawn(elsewhere.sessions.all()), "what was played elsewhere is not drawn for a review"
    assert "Its people are not known to be different people." in Scope(elsewhere).description


def test_nobody_can_be_seated_in_a_study_from_outside() -> None:
    study = make.study(open=False)
    from_outside(study)
    study = Study.objects.get(pk=study.pk)
    with pytest.raises(Refusal, match="elsewhere") as refused:
        change_study(study, pool=list(study.pool.all()), open=True)
    assert refused.value.code == "study_from_outside"


def test_nobody_is_matched_with_people_from_outside() -> None:
    (person,) = new_participants([""], outside=True)
    assert person.label.startswith("X-")
    assert not Directory().named(person.label)
