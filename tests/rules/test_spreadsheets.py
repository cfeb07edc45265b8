"""What a spreadsheet would compute is text in our files; numbers stay numbers."""

import polars as pl
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from playtest.rules.spreadsheets import guarded, guarded_text


@pytest.mark.parametrize(
    "text", ["=1+1", "+SUM(A1)", "-2+3", "@A1", "\t=1", "\r=1", "\n=1", "-", "=", "-1\n", "- 5 points"]
)
def test_a_formula_is_made_text(text: str) -> None:
    assert guarded(text) == f"'{text}"


@pytest.mark.parametrize("value", ["", "P-7F3K", "a=b", "'=1", "-3", "+0.25", -3, -0.5, None, True])
def test_other_text_is_unchanged(value: str | float | bool | None) -> None:
    assert guarded(value) is value


@given(st.lists(st.none() | st.text(st.sampled_from("=+-@\t\r\n '1.a\u0669\uff1d"), max_size=4)))
@example(["=1", "-1", "-1\n", None, "\r"])
def test_columns_are_guarded_as_values_are(texts: list[str | None]) -> None:
    frame = pl.LazyFrame(
        {"text": texts, "number": [-1] * len(texts)}, {"text": pl.String, "number": pl.Int64}
    )
    found = guarded_text(frame).collect()
    assert found["text"].to_list() == [guarded(text) for text in texts]
    assert found["number"].to_list() == [-1] * len(texts)
