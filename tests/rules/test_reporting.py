"""Reports in every form, and what departs from a preregistration."""

import json
import re
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playtest.rules.document import digest_of, value_of
from playtest.rules.errors import RuleError
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
from playtest.rules.reporting.document import ITEMS, Entry, Fact, Report, Table, item_of
from playtest.rules.reporting.latex import as_latex, escaped
from playtest.rules.reporting.markdown import as_markdown
from tests.refusals import rule_refused

TEXTS = st.text(st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), max_size=30)
TABLES = st.integers(1, 4).flatmap(
    lambda width: st.builds(
        Table,
        TEXTS,
        st.tuples(*[TEXTS] * width),
        st.lists(st.tuples(*[TEXTS] * width), max_size=3).map(tuple),
    )
)
ENTRIES = st.builds(
    Entry.of,
    st.sampled_from(ITEMS),
    st.lists(st.builds(Fact, TEXTS, TEXTS, TEXTS), max_size=3).map(tuple),
    st.lists(TABLES, max_size=2).map(tuple),
    TEXTS,
    TEXTS,
)
REPORTS = st.builds(Report, TEXTS, TEXTS, st.lists(ENTRIES, max_size=4).map(tuple))


@given(REPORTS)
def test_a_report_is_read_from_its_document_and_whole_in_print(report: Report) -> None:
    document = json.loads(json.dumps(report.document))
    assert value_of(Report, document) == report
    assert value_of(Report, document).digest == report.digest
    latex_is_balanced(as_latex(report))
    markdown_has_all_cells(as_markdown(report), report)


def latex_is_balanced(text: str) -> None:
    begun, ended = (sorted(re.findall(rf"\\{word}\{{(\w+)\}}", text)) for word in ("begin", "end"))
    assert begun == ended
    plain = text.replace(r"\{", "").replace(r"\}", "").replace(r"\\", "")
    depth = 0
    for letter in plain:
        depth += {"{": 1, "}": -1}.get(letter, 0)
        assert depth >= 0
    assert depth == 0


@given(TEXTS)
def test_no_letter_is_a_command_of_latex(text: str) -> None:
    left = re.sub(r"\\(text[a-z]+|allowbreak)\{\}|\\[{}$&#%_]", "", escaped(text))
    assert not re.search(r"[\\{}$&#%_^~]", left)
    assert "\n" not in escaped(text)


def markdown_has_all_cells(text: str, report: Report) -> None:
    rows = [line for line in text.splitlines() if line.startswith("| ")]
    tables = [table for entry in report.entries for table in entry.tables]
    assert len(rows) == sum(2 + len(table.rows) for table in tables)
    widths = [len(re.findall(r"(?<!\\)\|", row)) - 1 for row in rows]
    assert widths == [len(table.columns) for table in tables for _ in range(2 + len(table.rows))]


def test_an_entry_waits_for_an_answer_only_where_something_is_asked() -> None:
    asked = next(item for item in ITEMS if item.asked)
    silent = next(item for item in ITEMS if not item.asked)
    assert Entry.of(asked, ()).missing
    assert not Entry.of(asked, (), answer="yes").missing
    assert not Entry.of(silent, ()).missing


def test_items_are_in_the_order_of_the_checklist_and_once() -> None:
    numbers = [tuple(map(int, item.number.split("."))) for item in ITEMS]
    assert numbers == sorted(set(numbers))


@pytest.mark.parametrize(
    ("number", "code"), [("9.9", "item_unknown"), ("1.1", "item_not_asked"), ("", "item_unknown")]
)
def test_only_what_is_asked_can_be_answered(number: str, code: str) -> None:
    with pytest.raises(RuleError, match=code):
        item_of(number)


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
