"""Codes as they are made and read aloud, numbers that people write, and cells of spreadsheets."""

import random

import polars as pl
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from playtest.rules.codes import ALPHABET, display, new_code, normalise
from playtest.rules.errors import RuleError
from playtest.rules.spreadsheets import csv_text, guarded, guarded_formula, guarded_text, misread
from playtest.rules.text import name_order, whole_number

SPELLING = """zero one two three four five six seven eight nine
alfa bravo charlie delta echo foxtrot golf hotel juliett kilo mike november papa quebec romeo sierra tango
victor whiskey x-ray yankee zulu"""
SPOKEN = dict(zip(ALPHABET, SPELLING.split(), strict=True))

codes = st.text(ALPHABET, min_size=6, max_size=6)
separators = st.sampled_from(["", " ", "-", ".", " - ", "\u2013", "\u00a0"])


def code_or_error(text: str) -> str:
    try:
        return normalise(text)
    except RuleError as refused:
        return refused.code


def test_a_new_code_has_six_characters_of_the_unambiguous_alphabet() -> None:
    drawn = [new_code(random.Random(seed)) for seed in range(200)]
    assert {len(code) for code in drawn} == {6}
    assert set("".join(drawn)) == set("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
    assert len(set(drawn)) == 200


def test_a_code_is_shown_in_two_halves() -> None:
    assert display("K7M2QX") == "K7M-2QX"


@pytest.mark.parametrize(
    "text",
    [
        "K7M2QX",
        "k7m-2qx",
        " K7M 2QX\n",
        "k.7.m.2.q.x",
        "K7M\u20132QX",
        "Ｋ７Ｍ２ＱＸ",  # noqa: RUF001
        "kilo seven mike two quebec x-ray",
        "Kilo 7 Mike, 2 Quebec X ray.",
        "kilo seven mike dash two quebec xray",
        "K seven M two Q X",
        "K7M two quebec X",
    ],
)
def test_a_code_is_understood_as_typed_or_read_aloud(text: str) -> None:
    assert normalise(text) == "K7M2QX"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("oil-u00", "011V00"),
        ("oscar india lima uniform zero zero", "011V00"),
        ("niner alpha juliet whisky 2 3", "9AJW23"),
        ("K7X-RAY", "K7XRAY"),
        ("S1X S1X", "S1XS1X"),
        ("six six", "S1XS1X"),
    ],
)
def test_similar_characters_and_spoken_letters_are_accepted(text: str, code: str) -> None:
    assert normalise(text) == code


@given(codes, st.lists(separators, min_size=7, max_size=7), st.lists(st.booleans(), min_size=6, max_size=6))
def test_case_and_separators_do_not_matter(code: str, gaps: list[str], lower: list[bool]) -> None:
    typed = gaps[6] + "".join(
        (character.lower() if small else character) + gap
        for character, small, gap in zip(code, lower, gaps[:6], strict=True)
    )
    assert normalise(typed) == code


@given(codes, st.lists(st.booleans(), min_size=6, max_size=6))
def test_any_mix_of_spoken_and_single_characters_is_understood(code: str, spoken: list[bool]) -> None:
    said = [SPOKEN[character] if aloud else character for character, aloud in zip(code, spoken, strict=True)]
    assert normalise(" ".join(said)) == code


@given(st.text() | st.text("kK7oOiIlLuU -.x", max_size=12))
def test_any_text_is_either_a_code_or_refused(text: str) -> None:
    answer = code_or_error(text)
    assert answer == "code_malformed" or (len(answer) == 6 and set(answer) <= set(ALPHABET))


@pytest.mark.parametrize(
    "text", ["", " - ", "K7M2Q", "K7M2QXX", "K7M2Q!", "kilo seven mike", "hello there", "K7M2Qé", "K7M2Q٣"]
)
def test_text_that_cannot_be_a_code_is_refused_with_what_to_do(text: str) -> None:
    with pytest.raises(RuleError) as refused:
        normalise(text)
    assert refused.value.code == "code_malformed"
    assert "six letters and digits" in refused.value.message


def test_names_are_sorted_as_in_a_telephone_book() -> None:
    names = ["adam", "Ägidius", "Łukasz", "Ødegård", "R-9", "R-0100", "Straße", "Zoe", "Ева", "Ёлка"]
    assert sorted({*names}, key=name_order) == names


@pytest.mark.parametrize(("text", "number"), [("0", 0), ("7", 7), ("007", 7), ("9" * 18, 10**18 - 1)])
def test_digits_are_a_number(text: str, number: int) -> None:
    assert whole_number(text) == number


@pytest.mark.parametrize(
    "text", ["", " 7", "-1", "+1", "1.0", "1e3", "one", "²", "٣", "0x10", "9" * 19, "9" * 4301]
)
def test_other_text_is_not_a_number(text: str) -> None:
    assert whole_number(text) is None


@pytest.mark.parametrize(
    "text",
    [
        "=1+1",
        "+SUM(A1)",
        "-2+3",
        "@A1",
        "\t=1",
        "\r=1",
        "\n=1",
        "-",
        "=",
        "-1\n",
        "- 5 points",
        "=\n1",
        "Sept 2026",
        *"null NaN n/a TRUE 1e10 2.5E-3 inf mar1 3-4 1/2/2026 007 1234567890123456".split(),
    ],
)
def test_text_that_programs_would_change_is_made_text(text: str) -> None:
    assert guarded(text) == f"'{text}"


@pytest.mark.parametrize(
    "value",
    [
        "",
        "P-7F3K",
        "a=b",
        "'=1",
        "-3",
        "+0.25",
        -3,
        -0.5,
        None,
        True,
        "none of these",
        *"0 4711 18-24 2026-11-26 marble1 e10 h12e45 ls20 may".split(),
    ],
)
def test_other_text_is_unchanged(value: str | float | bool | None) -> None:
    assert guarded(value) is value


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("null", "missing"),
        ("nan", "missing"),
        ("true", "truth"),
        ("1e10", "number"),
        ("mar1", "date"),
        ("3/4", "date"),
    ],
)
def test_a_name_that_programs_would_change_is_refused_with_what_they_take_it_for(
    name: str, what: str
) -> None:
    assert what in misread(name)
    assert bool(misread(name, numbers=False)) == (name != "1e10")


@pytest.mark.parametrize("name", ["", "ls20", "4711", "007", "P-7F3K", "may", "R-17", "nana", "18-24"])
def test_other_names_are_taken(name: str) -> None:
    assert misread(name) == ""


@given(st.lists(st.none() | st.text(st.sampled_from("=+-@\t\r\n '1.0eamr/\u0669\uff1d"), max_size=4)))
@example(["=1", "-1", "-1\n", None, "\r"])
def test_columns_are_guarded_as_values_are(texts: list[str | None]) -> None:
    frame = pl.LazyFrame(
        {"text": texts, "number": [-1] * len(texts)}, {"text": pl.String, "number": pl.Int64}
    )
    found = guarded_text(frame).collect()
    assert found["text"].to_list() == [guarded(text) for text in texts]
    assert found["number"].to_list() == [-1] * len(texts)


def test_a_file_for_machines_guards_formulas_alone() -> None:
    rows = [("007", "000012"), ("=1+1", "mar1"), ("-5", None)]
    text = csv_text(("payee", "receipts"), rows, guarded_formula)
    assert text == "payee,receipts\r\n007,000012\r\n'=1+1,mar1\r\n-5,\r\n"
