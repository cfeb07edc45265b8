"""A protocol is one value with a JSON form and a digest, and differs from another in words."""

import json
import random
from dataclasses import replace
from decimal import Decimal
from hashlib import sha256
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playtest.rules.document import canonical, digest_of
from playtest.rules.effort.thresholds import RULE_VERSION, Thresholds
from playtest.rules.errors import RuleError
from playtest.rules.limits import Away
from playtest.rules.pay import Pay
from playtest.rules.protocol import (
    DEFAULT,
    Difference,
    Effort,
    Protocol,
    consent_warning,
    differences,
    statements,
)
from tests.protocols import prescribed
from tests.refusals import rule_refused
from tests.rules.protocols import protocols


def test_the_default_is_the_protocol_of_the_report() -> None:
    document = json.loads(canonical(DEFAULT.document))
    assert document["limits"] == {"soft_seconds": 1200, "hard_seconds": 1800, "session_seconds": 5400}
    assert document["attempt"] == {"more_than_actions": 30, "less_than_seconds": 1800}
    assert document["acceptance"] == {"people": 10, "solvers": 2}
    assert document["random_player"] == {"one_win_in": 10_000, "budget_factor": 5}
    assert document["pay"] == {"fee": "115.00", "bonus": "5.00"}
    assert document["baseline_rule"] == "baseline-1"
    assert document["effort"]["rule_version"] == "6"
    assert document["effort"]["thresholds"]["idle_gap_seconds"] == 60
    assert "Taking part is voluntary" in document["consent_text"]
    assert [question["name"] for question in document["survey"]][:2] == ["age", "video_games"]


def test_the_digest_is_of_the_canonical_json() -> None:
    """As anyone computes it from an exported file: sorted names, no spaces, UTF-8."""
    small = {"b": [1, "ä"], "a": {"d": "0.50", "c": 2}}
    assert digest_of(small) == "4ed52a3ecb15ddc2044a1767d7bd33b986ef55b82d966f257f9000a5910e2cac"


@given(protocols)
def test_a_protocol_is_unchanged_by_its_json(protocol: Protocol) -> None:
    assert Protocol.of(json.loads(canonical(protocol.document))) == protocol


@given(protocols, st.randoms(use_true_random=False))
def test_the_digest_does_not_depend_on_the_order_of_names(protocol: Protocol, shuffle: random.Random) -> None:
    mixed = _shuffled(json.loads(canonical(protocol.document)), shuffle)
    assert digest_of(mixed) == Protocol.of(mixed).digest == protocol.digest


@given(protocols, protocols)
def test_two_protocols_have_one_digest_exactly_when_they_are_equal(one: Protocol, other: Protocol) -> None:
    assert (one.digest == other.digest) == (one == other)


def test_numbers_that_are_equal_have_one_digest() -> None:
    whole = replace(DEFAULT, effort=Effort(RULE_VERSION, Thresholds(idle_gap_seconds=60)))
    assert whole.digest == DEFAULT.digest
    cents = replace(DEFAULT, pay=Pay(Decimal(115), Decimal("5.0")))
    assert cents.digest == DEFAULT.digest


def test_the_thresholds_a_study_changed_are_named() -> None:
    assert DEFAULT.effort.changes == {}
    assert Effort(RULE_VERSION, Thresholds(no_op_share=0.7)).changes == {"no_op_share": 0.7}


@pytest.mark.parametrize(
    ("path", "value", "code"),
    [
        (("limits", "soft_seconds"), 1801, "soft_limit_after_hard"),
        (("limits", "session_seconds"), 0, "limit_not_positive"),
        (("limits", "session_seconds"), 5400.5, "protocol_malformed"),
        (("limits", "session_seconds"), True, "protocol_malformed"),
        (("limits", "session_seconds"), "5400", "protocol_malformed"),
        (("limits",), [], "protocol_malformed"),
        (("attempt", "more_than_actions"), -1, "attempt_rule_invalid"),
        (("acceptance", "people"), 0, "target_not_positive"),
        (("acceptance", "solvers"), 0, "solvers_not_positive"),
        (("random_player", "one_win_in"), 1, "random_player_invalid"),
        (("random_player", "budget_factor"), 0, "random_player_invalid"),
        (("pay", "fee"), "1.0005", "amount_invalid"),
        (("pay", "fee"), "NaN", "amount_invalid"),
        (("pay", "fee"), "much", "protocol_malformed"),
        (("pay", "fee"), 115, "protocol_malformed"),
        (("baseline_rule",), None, "protocol_malformed"),
        (("effort", "thresholds", "no_op_share"), 2, "effort_threshold_invalid"),
        (("effort", "thresholds", "no_op_share"), "0.7", "protocol_malformed"),
        (("effort", "thresholds", "unheard_of"), 1, "protocol_malformed"),
        (("consent_text",), "  ", "consent_text_missing"),
        (("survey",), {}, "protocol_malformed"),
        (("survey", 0, "choices", 0), ["18-24"], "protocol_malformed"),
        (("environments",), ["wk01", "ck01"], "environments_unordered"),
        (("environments",), ["ck01", "ck01"], "environments_unordered"),
        (("debrief",), 1, "protocol_malformed"),
        (("review_share",), 1.01, "review_share_invalid"),
        (("review_share",), -0.1, "review_share_invalid"),
        (("smallest_group",), 1, "smallest_group_invalid"),
        (("large_in_fees",), -1, "large_in_fees_invalid"),
        (("review_share",), "0.1", "protocol_malformed"),
        (("unheard_of",), 1, "protocol_malformed"),
    ],
)
def test_an_invalid_protocol_is_refused(path: tuple[Any, ...], value: Any, code: str) -> None:
    document = json.loads(canonical(DEFAULT.document))
    place = document
    for name in path[:-1]:
        place = place[name]
    place[path[-1]] = value
    with rule_refused(code):
        Protocol.of(document)


@pytest.mark.parametrize("document", [None, [], "protocol", 3, {}])
def test_a_value_that_is_not_a_document_is_refused(document: object) -> None:
    with pytest.raises(RuleError, match="protocol_malformed"):
        Protocol.of(document)


def test_a_protocol_from_before_the_added_fields_means_what_it_meant_and_keeps_its_digest() -> None:
    document = json.loads(canonical(DEFAULT.document))
    assert document.pop("debrief") is True
    assert document.pop("review_share") == 0.1
    assert document.pop("away") == {"seconds": 300, "times": 20}
    read = Protocol.of(document)
    assert (read.debrief, read.review_share, read.away) == (False, 0, Away())
    assert read.document == document
    assert read.digest == sha256(canonical(document).encode()).hexdigest() != DEFAULT.digest


def test_a_missing_name_is_named() -> None:
    document = json.loads(canonical(DEFAULT.document))
    del document["pay"]["bonus"]
    with pytest.raises(RuleError, match=r"'bonus' is missing in protocol\.pay"):
        Protocol.of(document)


def _shuffled(document: Any, shuffle: random.Random) -> Any:
    if isinstance(document, list):
        return [_shuffled(item, shuffle) for item in document]
    if not isinstance(document, dict):
        return document
    names = list(document)
    shuffle.shuffle(names)
    return {name: _shuffled(document[name], shuffle) for name in names}


@given(protocols, protocols)
def test_different_protocols_have_a_difference_and_equal_ones_none(one: Protocol, other: Protocol) -> None:
    assert differences(one, one, "USD") == []
    assert bool(differences(one, other, "USD")) == (one != other)


@pytest.mark.parametrize(
    ("changes", "difference"),
    [
        ({"hard_seconds": 2730}, Difference("Hard limit", "30:00 min", "45:30 min")),
        ({"more_than_actions": 20}, Difference("Attempt: more actions than", "30", "20")),
        ({"people": 1_200}, Difference("People per environment", "10", "1,200")),
        ({"fee": 1_150}, Difference("Fee per session", "$115.00", "$1,150.00")),
        ({"effort": {"no_op_share": 0.7}}, Difference("Effort threshold no_op_share", "0.6", "0.7")),
        ({"environments": ("ck01", "wk01")}, Difference("Environments", "", "ck01, wk01")),
        ({"survey": ()}, Difference("Survey", statements(DEFAULT, "USD")["Survey"], "")),
    ],
)
def test_a_changed_field_is_described_with_both_values(
    changes: dict[str, Any], difference: Difference
) -> None:
    assert differences(DEFAULT, prescribed(**changes), "USD") == [difference]


@pytest.mark.parametrize(
    ("text", "seconds", "stated"),
    [
        ("You may stop at any time.", 3600, None),
        ("You play for up to 60 minutes.", 3600, None),
        ("You play for up to 90 minutes.", 3600, "90"),
        ("After 20 minutes on a game we ask you to stop. It all takes 60 minutes.", 3600, None),
        ("After 20 minutes on a game we ask you to stop.", 3600, "20"),
        ("A 90-minute session.", 3600, "90"),
        ("It takes 1 minute.", 90, "1"),
        ("It takes 1.5 minutes, or 1,000 minutes, or 2 hours, or 2 minutest.", 3600, None),
        (f"It takes {'9' * 5_000} minutes.", 3600, None),
    ],
)
def test_the_minutes_in_a_consent_text_are_compared_with_the_session(
    text: str, seconds: int, stated: str | None
) -> None:
    found = consent_warning(prescribed(consent_text=text, session_seconds=seconds))
    limit = {3600: "60", 90: "1.5"}[seconds]
    assert found == (
        f"The consent text says {stated} minutes; the session limit is {limit}." if stated else ""
    )
