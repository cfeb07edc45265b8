"""The text of files that people bring."""

import json

import pytest

from engine.errors import RecordingError
from engine.play.recording import read
from engine.texts import TextError, decoded, text_of

SPOKEN = "Zoë’s “naïve” list – 5 €"  # noqa: RUF001


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_a_text_is_read_in_the_encodings_that_programs_write(encoding: str) -> None:
    assert text_of(SPOKEN.encode(encoding)) == SPOKEN


def test_utf_16_of_either_order_is_read_by_its_mark() -> None:
    assert text_of(b"\xfe\xff" + SPOKEN.encode("utf-16-be")) == SPOKEN


@pytest.mark.parametrize(
    ("content", "line"),
    [
        (b"a\r\nb\x81", 2),
        (b"a\0", 1),
        ("a\n\nb\u202ec".encode(), 3),
        (b"\xef\xbb\xbfa\xff", 1),
        (b"\xff\xfea", 1),
    ],
)
def test_what_no_text_has_is_refused_with_its_line(content: bytes, line: int) -> None:
    with pytest.raises(TextError) as error:
        text_of(content)
    assert (error.value.code, error.value.details["line"]) == ("text_unreadable", line)
    assert isinstance(decoded(content), str)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "cp1252"])
def test_a_recording_is_read_in_each_encoding(encoding: str) -> None:
    lines = [json.dumps({"action_input": {"id": 1}, "note": "é"}, ensure_ascii=False)] * 2
    content = "\n".join(lines).encode(encoding)
    assert len(read(content.splitlines(keepends=True)).turns) == len(read(lines).turns)


def test_a_recording_names_the_line_of_a_control() -> None:
    lines = [json.dumps({"action_input": {"id": 1}}).encode(), '{"note": "\u202e"}'.encode()]
    with pytest.raises(RecordingError, check=lambda error: error.code == "text_unreadable") as error:
        read(lines)
    assert error.value.details["line"] == 2
