"""Protocols to draw from in property tests."""

from dataclasses import fields

from hypothesis import strategies as st

from playtest.rules.acceptance import Acceptance
from playtest.rules.attempt import AttemptRule
from playtest.rules.effort.thresholds import Thresholds, thresholds
from playtest.rules.evidence import RandomPlayer
from playtest.rules.limits import Away, Limits
from playtest.rules.pay import Pay
from playtest.rules.protocol import Effort, Protocol
from playtest.rules.survey import Question

_seconds, _text = st.integers(1, 10_000), st.text(min_size=1, max_size=20).filter(str.strip)
_amounts = st.decimals(0, 1_000, places=2)
_NUMBERS = [each.name for each in fields(Thresholds) if each.name not in ("response_strong_below",)]


def _thresholds() -> st.SearchStrategy[Thresholds]:
    """Some of the thresholds changed; all of them allow a whole number up to their most."""
    changed = st.dictionaries(st.sampled_from(_NUMBERS), st.integers(0, 1), max_size=3)
    return changed.map(lambda changes: thresholds({"response_strong_below": 0.0, **changes}))


def _questions() -> st.SearchStrategy[Question]:
    """Questions of each kind."""
    text = st.text("abc ?", min_size=1, max_size=9).filter(str.strip)
    name, ends = (
        st.text("abc", min_size=1, max_size=3),
        st.tuples(st.text("xy", max_size=3), st.text("xy", max_size=3)),
    )
    most = st.integers(2, 9)
    return st.one_of(
        st.builds(Question, name, text, st.just((("a", "A"), ("b", "B")))),
        st.builds(Question, name, text, st.just(()), st.just("number"), st.integers(-9, 1), most),
        st.builds(Question, name, text, st.just(()), st.just("text"), most=most),
        st.builds(Question, name, text, st.just(()), st.just("scale"), st.integers(0, 1), most, ends),
    )


protocols = st.builds(
    Protocol,
    limits=st.builds(
        lambda soft, more, session: Limits(soft, soft + more, session), _seconds, _seconds, _seconds
    ),
    attempt=st.builds(AttemptRule, st.integers(0, 100), _seconds),
    acceptance=st.builds(Acceptance, st.integers(1, 50), st.integers(1, 5)),
    random_player=st.builds(RandomPlayer, st.integers(2, 100_000), st.integers(1, 10)),
    pay=st.builds(Pay, _amounts, _amounts),
    baseline_rule=_text,
    effort=st.builds(Effort, _text, _thresholds()),
    consent_text=_text,
    survey=st.lists(_questions(), max_size=2, unique_by=lambda question: question.name).map(tuple),
    environments=st.sets(st.text("abc0", min_size=4, max_size=4), max_size=3).map(
        lambda codes: tuple(sorted(codes))
    ),
    debrief=st.booleans(),
    away=st.builds(Away, st.integers(0, 3600), st.integers(0, 1000)),
    review_share=st.integers(0, 1000).map(lambda thousandths: thousandths / 1000),
)
