"""The JSON of frames is what `json.dumps` makes of them."""

import json

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from engine.frames import SIZE, Frame
from playtest.arena.api.application import frames_json

frames = arrays(np.uint8, (SIZE, SIZE), elements=st.integers(0, 15), fill=st.integers(0, 15))


@given(st.lists(frames, max_size=4))
def test_it_equals_json_dumps(shown: list[Frame]) -> None:
    expected = json.dumps([frame.tolist() for frame in shown], separators=(",", ":"))
    assert frames_json(shown).decode() == expected
