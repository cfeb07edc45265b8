"""What changed between two sources, and that nothing hides from who reads it."""

from hypothesis import given
from hypothesis import strategies as st

from playtest.rules.source_changes import Change, Line, all_lines, changed_lines, lines_of, unseen

SIGNS = {Change.SAME: " ", Change.ADDED: "+", Change.REMOVED: "-"}
TEXTS = st.lists(st.sampled_from("abcd"), max_size=12).map("\n".join)


def drawn(lines: list[Line]) -> list[str]:
    """Each line as `12+text`, skipped ones as `(12)`."""
    return [
        f"({line.number})"
        if line.change is Change.SKIPPED
        else f"{line.number}{SIGNS[line.change]}{line.text}"
        for line in lines
    ]


def test_a_change_is_shown_with_three_lines_around_it() -> None:
    before = "".join(f"{number}\n" for number in range(1, 21))
    after = before.replace("\n10\n", "\nten\nand more\n")
    assert drawn(changed_lines(before, after)) == [
        *("(6)", "7 7", "8 8", "9 9", "10-10", "10+ten", "11+and more", "12 11", "13 12", "14 13"),
        "(7)",
    ]
    assert changed_lines(before, before) == []


def test_texts_too_different_to_compare_are_shown_whole() -> None:
    before = "".join(f"{number}\n" for number in range(4_000))
    after = "".join(f"{number}\n" for number in reversed(range(4_000)))
    shown = changed_lines(before, after)
    assert [line.change for line in shown] == [Change.REMOVED] * 4_000 + [Change.ADDED] * 4_000


def test_what_is_not_seen_is_written_out_and_counted() -> None:
    source = "a = 1  # \u202eon\r\nb\u200b = 2\rimport os\n\tc\n"
    assert drawn(all_lines(source)) == ["1 a = 1  # ⟨U+202E⟩on", "2 b⟨U+200B⟩ = 2⟨U+000D⟩import os", "3 \tc"]
    assert unseen(source) == 3


@given(TEXTS, TEXTS)
def test_the_lines_that_remain_or_are_added_are_those_of_the_later_text(before: str, after: str) -> None:
    shown = changed_lines(before, after)
    numbered = {line.number: line.text for line in shown if line.change in (Change.SAME, Change.ADDED)}
    later = dict(enumerate(lines_of(after), 1))
    assert numbered.items() <= later.items()
    skipped = sum(line.number for line in shown if line.change is Change.SKIPPED)
    assert before == after or len(numbered) + skipped == len(later)
