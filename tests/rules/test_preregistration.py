"""What departs from a preregistration is found from what happened, at the edges too."""

from dataclasses import replace
from typing import Any

import pytest

from playtest.rules.document import digest_of
from playtest.rules.preregistration import (
    LONGEST_ANALYSIS,
    MOST_PEOPLE,
    Happened,
    Kind,
    OtherProtocol,
    Registered,
    departures,
)
from playtest.rules.protocol import DEFAULT
from tests.refusals import rule_refused

PROTOCOL = replace(DEFAULT, environments=("ck01", "wk01"))
ASKED = PROTOCOL.acceptance.people
VERSIONS = {"ck01": "c" * 64, "wk01": "a" * 64}


def registered(**changes: Any) -> Registered:
    said: dict[str, Any] = {
        "study": "Pilot", "protocol_number": 1, "protocol": PROTOCOL, "versions": VERSIONS, "people": 20,
        "analysis": "Solved by more than half.",
    }  # fmt: skip
    return Registered(**said | changes)


def found(happened: Happened, **changes: Any) -> list[tuple[Kind, str]]:
    return [(one.kind, one.sentence) for one in departures(registered(**changes), happened)]


def as_planned(**changes: Any) -> Happened:
    return replace(
        Happened(
            people=20,
            protocols=[OtherProtocol(1, 20, [])],
            played={("ck01", "c" * 64): 20, ("wk01", "a" * 64): 20},
            counted={"ck01": ASKED, "wk01": ASKED},
            pool=["ck01", "wk01"],
            excluded={PROTOCOL.effort.rule_version: 3},
        ),
        **changes,
    )


def test_what_happens_as_planned_departs_in_nothing() -> None:
    assert found(as_planned()) == []
    assert found(Happened(pool=["ck01", "wk01"])) == []


def test_one_person_more_than_planned_is_a_departure() -> None:
    assert found(as_planned(people=21)) == [(Kind.PEOPLE, "21 people came; 20 were registered.")]
    assert found(as_planned(people=1_000), people=None) == []
    more = found(as_planned(counted={"ck01": ASKED + 1, "wk01": ASKED}))
    sentence = f"More people count than the {ASKED} registered for each environment: ck01 {ASKED + 1}."
    assert more == [(Kind.PEOPLE, sentence)]


def test_sessions_before_the_registration_are_a_departure() -> None:
    sentence = "1 session had begun when the study was registered."
    assert found(as_planned(before=1)) == [(Kind.BEFORE, sentence)]


def test_another_protocol_counts_where_it_says_something_else_and_was_followed() -> None:
    unlike = OtherProtocol(3, 1, ["Hard limit", "Pay"])
    others = [unlike, OtherProtocol(2, 4, []), OtherProtocol(4, 0, ["Pay"])]
    assert found(as_planned(protocols=others)) == [
        (
            Kind.PROTOCOL,
            "1 session follows version 3 of the protocol, which is not as registered in: Hard limit, Pay.",
        )
    ]


def test_another_version_and_another_environment_are_departures() -> None:
    played = {("ck01", "c" * 64): 3, ("wk01", "b" * 64): 1, ("rn01", "d" * 64): 2}
    assert found(as_planned(played=played, pool=["ck01", "ft01"])) == [
        (Kind.VERSION, "1 attempt at wk01 was at version bbbbbbbb, not at aaaaaaaa."),
        (Kind.POOL, "ft01 was not registered and has joined the pool."),
        (Kind.POOL, "rn01 was not registered and has joined the pool."),
        (Kind.POOL, "wk01 was registered and has left the pool."),
    ]


def test_exclusions_by_another_rule_set_are_a_departure() -> None:
    meant = PROTOCOL.effort.rule_version
    assert found(as_planned(excluded={meant: 5, "effort-99": 2})) == [
        (Kind.EXCLUSION, f"2 exclusions were decided by rule set effort-99 of effort, not by {meant}.")
    ]


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"people": 0}, "people_invalid"),
        ({"people": MOST_PEOPLE + 1}, "people_invalid"),
        ({"analysis": "x" * (LONGEST_ANALYSIS + 1)}, "analysis_too_long"),
        ({"analysis": "a\0b"}, "analysis_unreadable"),
        ({"versions": {"ck01": "c" * 64}}, "versions_missing"),
        ({"versions": VERSIONS | {"rn01": "d" * 64}}, "versions_missing"),
    ],
)
def test_what_cannot_be_registered_is_refused(changes: dict[str, Any], code: str) -> None:
    with rule_refused(code):
        registered(**changes)


def test_a_stored_document_is_read_as_the_same_value() -> None:
    for value in (registered(), registered(people=None, analysis=""), registered(people=MOST_PEOPLE)):
        again = Registered.of(value.document)
        assert again == value
        assert digest_of(again.document) == digest_of(value.document)
