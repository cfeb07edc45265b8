"""`python -m tests.live.reviewer`: a reviewer in a separate process, with JSON lines.

Input: {"deed": a service of `review.services.decisions`, "on": key of a session or decision, "by": account,
"at": seconds since 1970, "arguments": [...], "options": {...}}. Output: "done", or the refusal's code.
"""

import json
import sys
import time
from typing import Any

import django


def do(wanted: dict[str, Any]) -> str:
    from playtest.people.models import Staff
    from playtest.play.errors import Refusal
    from playtest.play.models import Session
    from playtest.review.services import decisions

    reviewer = Staff.objects.get(username=wanted["by"])
    on = Session.objects.get(pk=wanted["on"]) if wanted["deed"] == "decide" else wanted["on"]
    time.sleep(max(0.0, wanted["at"] - time.time()))
    try:
        getattr(decisions, wanted["deed"])(on, reviewer, *wanted["arguments"], **wanted["options"])
    except Refusal as refusal:
        return refusal.code
    return "done"


if __name__ == "__main__":
    django.setup()
    for line in sys.stdin:
        print(json.dumps(do(json.loads(line))), flush=True)  # noqa: T201
