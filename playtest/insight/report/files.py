"""A report as a file: HTML, Markdown, LaTeX, JSON."""

import json
from collections.abc import Callable
from dataclasses import dataclass

from django.template.loader import render_to_string

from playtest.rules.reporting import Report, as_latex, as_markdown


@dataclass(frozen=True)
class Format:
    """A form of a report, what it is called, the ending of its files and their content type."""

    label: str
    write: Callable[[Report], str]
    ending: str
    content_type: str


def as_html(report: Report) -> str:
    """One file without links to elsewhere."""
    return render_to_string("insight/report/file.html", {"report": report})


def as_json(report: Report) -> str:
    """The report with its digest.

    The digest is the SHA-256 of the member "report" as canonical JSON: names sorted, no spaces, UTF-8.
    """
    document = {"digest": report.digest, "report": report.document}
    return json.dumps(document, indent=2, sort_keys=True, ensure_ascii=False) + "\n"


FORMATS = {
    "html": Format("HTML", as_html, "html", "text/html; charset=utf-8"),
    "markdown": Format("Markdown", as_markdown, "md", "text/markdown; charset=utf-8"),
    "latex": Format("LaTeX", as_latex, "tex", "application/x-tex; charset=utf-8"),
    "json": Format("JSON", as_json, "json", "application/json"),
}
