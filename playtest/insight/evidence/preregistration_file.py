"""A preregistration as a file: JSON that can be checked without this program, and Markdown to be read."""

import json
from collections.abc import Iterator

from playtest.insight.evidence.preregistration import Standing
from playtest.play.sessions.page_content import currency
from playtest.rules.protocol_text import statements


def as_json(found: Standing) -> str:
    """The document with its digest and its time.

    The digest is the SHA-256 of the member "registered" as canonical JSON: names sorted, no spaces, UTF-8.
    """
    stored = found.stored
    document = {
        "number": stored.number,
        "registered_at": stored.registered_at.isoformat(),
        "digest": stored.digest,
        "registry": found.address or None,
        "registered": stored.document,
    }
    return json.dumps(document, indent=2, sort_keys=True, ensure_ascii=False) + "\n"


def as_markdown(found: Standing) -> str:
    return "\n".join(_lines(found)) + "\n"


def _lines(found: Standing) -> Iterator[str]:
    stored, registered = found.stored, found.registered
    yield f"# Preregistration {stored.number} of “{registered.study}”"
    yield ""
    yield f"- Registered: {stored.registered_at.isoformat(timespec='seconds')}"
    yield f"- Digest (SHA-256): `{stored.digest}`"
    if found.address:
        yield f"- Registry: <{found.address}>"
    yield ""
    yield "## Hypotheses and analysis"
    yield ""
    yield registered.analysis or "Nothing was written."
    yield ""
    yield "## Sample"
    yield ""
    asked = registered.protocol.acceptance.people
    yield f"- People to recruit: {'not fixed' if registered.people is None else f'{registered.people:,}'}"
    yield f"- People who count on each environment: {asked:,}"
    yield ""
    if registered.plan is not None:
        yield "## Plan"
        yield ""
        yield "Its assumptions, the precision that they promise, and what it takes."
        yield ""
        yield "```json"
        yield json.dumps(registered.plan, indent=2, ensure_ascii=False)
        yield "```"
        yield ""
    yield "## Environments"
    yield ""
    yield "| environment | version (SHA-256 of its source) |"
    yield "| --- | --- |"
    for code, digest in sorted(registered.versions.items()):
        yield f"| {code} | `{digest}` |"
    yield ""
    yield f"## Protocol, version {registered.protocol_number}"
    yield ""
    yield f"Digest: `{registered.protocol.digest}`"
    yield ""
    for field, value in statements(registered.protocol, currency()).items():
        yield f"- **{field}**: {_indented(value)}"


def _indented(value: str) -> str:
    """Text of several lines as part of a list's item."""
    first, *others = value.splitlines() or [""]
    return "\n".join([first or "none", *(f"  {line}" if line else "" for line in others)])
