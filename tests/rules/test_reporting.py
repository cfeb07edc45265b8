"""A report is the same value in every form, and no text in it can be taken for markup."""

import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from playtest.rules.document import value_of
from playtest.rules.errors import RuleError
from playtest.rules.reporting import ITEMS, Entry, Fact, Report, Table, as_latex, as_markdown, item_of
from playtest.rules.reporting.latex import escaped

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
def test_a_report_is_read_from_its_document(report: Report) -> None:
    document = json.loads(json.dumps(report.document))
    assert value_of(Report, document) == report
    assert value_of(Report, document).digest == report.digest


@given(REPORTS)
def test_latex_has_as_many_ends_as_beginnings_and_balanced_braces(report: Report) -> None:
    text = as_latex(report)
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
    left = re.sub(r"\\text[a-z]+\{\}|\\dots\{\}|\$\\(geq|leq|times)\$|\\[{}$&#%_]", "", escaped(text))
    assert not re.search(r"[\\{}$&#%_^~]", left)
    assert "\n" not in escaped(text)


@given(REPORTS)
def test_markdown_has_a_row_for_each_row_with_all_its_cells(report: Report) -> None:
    text = as_markdown(report)
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
