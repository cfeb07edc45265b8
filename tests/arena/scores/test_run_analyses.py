"""A card's page says why its plays stopped, and compares parts of a key's environments drawn at random."""

import pytest
from django.urls import reverse

from engine.prove.masks import nothing, packed
from playtest.arena.models import Board, CloseReason, FinalReading, Holdout, Scorecard
from playtest.arena.runs.cards import close_card
from playtest.arena.runs.custody import refusal_of_entry
from playtest.arena.runs.exports import request_runs
from playtest.arena.scores.card_scores import card_score
from playtest.arena.scores.holdouts import draw, holdout_report, read_final
from playtest.arena.scores.run_analyses import CardAnalysis, PlayAnalysis, analyse_card
from playtest.insight.compute.results import bring_up_to_date
from playtest.insight.scope import EVERYONE
from playtest.people.roles import Role
from playtest.play.clock import now
from playtest.play.models import Attempt
from playtest.review.models import ExportKind
from playtest.rules.attempt import Outcome
from playtest.rules.run_analysis import Failure, Part
from playtest.studio.models import Environment, ReleaseSet, StateMask
from tests import make
from tests.arena.runs.played import UNAVAILABLE, on_a_card, write_run
from tests.arena.scores import agents
from tests.arena.scores.agents import version
from tests.live.games import WALK
from tests.refusals import refused
from tests.staff import signed_in, staff

IDLE = 2
"""An action that changes nothing at the start of wk01."""
pytestmark = [pytest.mark.django_db, pytest.mark.once]


def analysed(card: Scorecard) -> CardAnalysis:
    bring_up_to_date(EVERYONE.attempts)
    return analyse_card(card_score(card), lambda play: f"/replay/{play.pk}/", with_people=True)


def of_run(*acts: int, outcome: Outcome = Outcome.CARD_CLOSED) -> PlayAnalysis:
    (found,) = analysed(on_a_card(write_run(version(), acts, outcome))).plays
    return found


def test_a_run_that_changes_nothing_is_named_beside_people_at_the_same_point() -> None:
    study = make.study(people=100)
    make.play(make.session(study), [*[IDLE] * 13, *WALK], Outcome.COMPLETED)
    make.play(make.session(study), [IDLE] * 35)
    found = of_run(*[UNAVAILABLE] * 25)
    ((named, address),) = found.failures
    assert (named.failure, named.level, named.sentence) == (
        Failure.NO_EFFECT,
        1,
        "25 of 25 actions changed nothing, 25 of them in a row.",
    )
    assert address.endswith("/#action=1")
    (level,) = found.levels
    assert (level["reached"], level["by_then"]) == (2, 1)
    assert found.analysis is not None
    assert found.analysis.effects[0].dead_share == 1


def test_what_only_masked_cells_show_is_no_change() -> None:
    walk = [4, 3] * 15
    assert [named.failure for named, _ in of_run(*walk).failures] == [Failure.CIRCLE]
    none = nothing()
    StateMask.objects.create(version=version(), cells=packed(~none), undecided=packed(none), at=now())
    assert [named.failure for named, _ in of_run(*walk).failures] == [Failure.NO_EFFECT]


def test_faults_stand_apart() -> None:
    acts = [UNAVAILABLE] * 25
    failed = of_run(*acts, outcome=Outcome.FAULT)
    assert (failed.failures, len(failed.faults)) == ([], 1)
    card = on_a_card(write_run(version(), acts))
    close_card(card.pk, CloseReason.IDLE)
    (idle,) = analysed(Scorecard.objects.get(pk=card.pk)).plays
    assert idle.faults == ("Nothing more was asked, and the card closed: it was idle for 15 minutes.",)
    assert len(idle.failures) == 1


def test_the_page_of_a_card_leads_to_the_actions_that_show_why() -> None:
    card = on_a_card(write_run(version(), [*WALK[:3], *[UNAVAILABLE] * 25]))
    page = signed_in(Role.ENGINEER).get(reverse("arena:card", args=[card.card_id])).content.decode()
    attempt = Attempt.objects.get()
    assert "Actions without effect: 1 of 1" in page
    assert (
        f'href="{reverse("review:attempt", args=[attempt.pk])}#action=4">Actions without effect</a>' in page
    )


def test_parts_are_drawn_on_record_and_the_final_one_is_read_once() -> None:
    for code in ("wk01", "ck01", "rn01"):
        make.environment(code)
    Environment.objects.update(release_set=ReleaseSet.PUBLIC)
    lead = staff(Role.LEAD)
    card = on_a_card(write_run(version(), WALK, Outcome.COMPLETED))
    with refused("too_few_environments"):
        draw(card.key, "", lead)
    card.key.sets = ["public"]
    card.key.save()
    holdout = draw(card.key, "7", lead)
    assert sorted(code for codes in holdout.parts.values() for code in codes) == ["ck01", "rn01", "wk01"]

    def parts() -> list[Part]:
        report = holdout_report(card_score(card), analysed(card))
        assert report is not None
        return [one.part for one in report.parts]

    assert holdout.parts[Part.FINAL] == ["wk01"]
    assert parts() == [Part.DEVELOPMENT, Part.HELD_OUT]
    assert card_score(card).environments == ()
    page = signed_in(Role.LEAD).get(reverse("arena:card", args=[card.card_id])).content.decode()
    assert "Left out here: the final part" in page
    assert reverse("arena:environment", args=["wk01"]) not in page
    with refused("runs_held_back"):
        request_runs(card, ExportKind.RUNS_CSV, lead, print)
    with refused("card_open"):
        read_final(card, lead)
    close_card(card.pk, CloseReason.BY_AGENT)
    card.refresh_from_db()
    signed_in(Role.LEAD).post(reverse("arena:holdout-final", args=[card.card_id]))
    assert FinalReading.objects.get().card == card
    assert parts() == list(Part)
    assert [one.code for one in card_score(card).environments] == ["wk01"]
    other = agents.card(card.key.name, competition=True)
    agents.run(other, ["b+"])
    agents.closed(other)
    assert [one.code for one in card_score(other).environments] == ["ck01", "rn01"]
    refusal = refusal_of_entry(Board.COMMUNITY, other)
    assert refusal is not None
    assert refusal.code == "final_unread"
    with refused("final_read"):
        read_final(card, lead)
    signed_in(Role.LEAD).post(reverse("arena:holdout-draw", args=[card.card_id]), {"seed": "8"})
    assert Holdout.objects.count() == 2
    assert parts() == [Part.DEVELOPMENT, Part.HELD_OUT]
