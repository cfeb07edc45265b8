"""Markdown of staff is rendered without active content."""

import pytest

from playtest.people.templatetags.notes import markdown


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("# Title\n\ntext", "<h3>Title</h3>\n<p>text</p>\n"),
        ("###### deep", "<h6>deep</h6>\n"),
        ("**Goal.** Every ring", "<p><strong>Goal.</strong> Every ring</p>\n"),
        ("<script>alert(1)</script>", "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>\n"),
        ("a <b onclick=x>b</b>", "<p>a &lt;b onclick=x&gt;b&lt;/b&gt;</p>\n"),
        ("[x](javascript:alert(1))", "<p>[x](javascript:alert(1))</p>\n"),
        ("", ""),
    ],
)
def test_a_note_is_rendered_without_active_content(written: str, shown: str) -> None:
    assert markdown(written) == shown


def test_style_attributes_and_pictures_are_removed() -> None:
    assert "style" not in markdown("| a | b |\n| --: | --- |\n| 1 | 2 |")
    assert "<td>1</td>" in markdown("| a | b |\n| --: | --- |\n| 1 | 2 |")
    assert "<img" not in markdown("![x](https://example.org/x.png)")


def test_a_link_to_another_document_gives_its_words_alone() -> None:
    assert markdown("see [the API](api.md) and [d](decisions/0224-a.md#x).") == "<p>see the API and d.</p>\n"
    outside = "[x](https://example.org/readme.md)"
    assert markdown(outside) == '<p><a href="https://example.org/readme.md">x</a></p>\n'
    assert 'href="#keys"' in markdown("[keys](#keys)")
