"""Cards close by themselves after 15 idle minutes or 24 hours, and their runs end with them."""

from datetime import timedelta

import pytest

from playtest.arena.models import CloseReason, Scorecard
from playtest.arena.runs.cards import IDLE, LONGEST_OPEN, close_card, open_card, use_card
from playtest.arena.runs.keys import create_key
from playtest.arena.tasks import close_idle_cards
from playtest.play.clock import now
from playtest.play.errors import Refusal

pytestmark = [pytest.mark.django_db, pytest.mark.once]
SECOND = timedelta(seconds=1)


def card(*, used: timedelta, opened: timedelta, competition: bool = False) -> Scorecard:
    """A card that was opened and last used so long ago."""
    made = open_card(create_key("An agent")[0], competition=competition)
    made.opened_at, made.used_at = now() - opened, now() - used
    made.save()
    return made


def reason_after_the_task(made: Scorecard) -> str:
    close_idle_cards()
    made.refresh_from_db()
    return made.close_reason


def test_a_card_closes_after_fifteen_idle_minutes_and_no_sooner() -> None:
    assert reason_after_the_task(card(used=IDLE - 30 * SECOND, opened=IDLE)) == ""
    assert reason_after_the_task(card(used=IDLE, opened=IDLE)) == CloseReason.IDLE


def test_a_card_closes_after_a_day_however_much_it_is_used() -> None:
    assert reason_after_the_task(card(used=SECOND, opened=LONGEST_OPEN - 30 * SECOND)) == ""
    assert reason_after_the_task(card(used=SECOND, opened=LONGEST_OPEN)) == CloseReason.TOO_OLD


def test_a_use_keeps_a_card_open_and_opens_no_closed_one() -> None:
    made = card(used=IDLE, opened=IDLE)
    use_card(made.pk, now())
    assert reason_after_the_task(made) == ""
    assert close_card(made.pk, CloseReason.BY_AGENT)
    assert not close_card(made.pk, CloseReason.IDLE)
    assert reason_after_the_task(made) == CloseReason.BY_AGENT


@pytest.mark.parametrize(("first", "second"), [(True, True), (True, False), (False, True)])
def test_a_competition_card_is_the_only_open_one_of_its_key(first: bool, second: bool) -> None:
    made = card(used=timedelta(0), opened=timedelta(0), competition=first)
    with pytest.raises(Refusal, match=f"{made.card_id}: close it first by POST /api/scorecard/close"):
        open_card(made.key, competition=second)
    assert open_card(create_key("Another agent")[0], competition=second).competition is second
    close_card(made.pk, CloseReason.BY_AGENT)
    assert open_card(made.key, competition=second).competition is second


def test_cards_in_normal_mode_stand_beside_each_other() -> None:
    made = card(used=timedelta(0), opened=timedelta(0))
    assert open_card(made.key).pk != made.pk


def test_an_idle_competition_card_makes_room_for_the_next() -> None:
    made = card(used=timedelta(0), opened=timedelta(0), competition=True)
    with pytest.raises(Refusal, match=str(made.card_id)):
        open_card(made.key, competition=True)
    Scorecard.objects.filter(pk=made.pk).update(used_at=now() - IDLE)
    assert open_card(made.key, competition=True).pk != made.pk
