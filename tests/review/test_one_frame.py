"""One frame of an attempt is the one that the whole journal has, however little of it is read."""

import pytest

from engine.play.frames import same_cells
from playtest.review.attempt_film import turns
from playtest.review.queries.exports import find_frame
from playtest.rules.attempt import Outcome
from tests import make
from tests.live.games import WALK

pytestmark = [pytest.mark.django_db, pytest.mark.once]


def test_every_frame_of_an_attempt_is_found() -> None:
    attempt = make.play(make.session(make.study()), [*WALK], Outcome.COMPLETED)
    everything = [(entry.seq, frames) for entry, frames in turns(attempt)]
    assert len(everything) == len(WALK) + 1
    for seq, frames in everything:
        for number, frame in enumerate(frames, start=1):
            found = find_frame(attempt, seq, number)
            assert found is not None
            assert same_cells(found, frame)
    assert find_frame(attempt, len(WALK) + 1, None) is None
