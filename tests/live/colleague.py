"""`python -m tests.live.colleague`: a member of staff in a separate process, with JSON lines.

Input: {"act": one of `prepare`, "on": key of what it is done to, "by": account, "at": seconds since 1970,
"arguments": [...], "options": {...}}. Output: "done", or the refusal's code.
"""

import json
import sys
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import django


def prepare(act: str, on: int, by: str) -> Callable[..., object]:
    """Reads what an act needs, as a page does before it is sent; the result does it."""
    from playtest.center.models import Adjustment, PayAccount
    from playtest.center.pay.payments import issue_receipt, make_batch
    from playtest.center.pay.services import decide_adjustment
    from playtest.center.stations import seating
    from playtest.center.stations.models import Station
    from playtest.center.tasks import post_missing
    from playtest.people.models import Staff
    from playtest.play.clock import now
    from playtest.play.models import Session, Study
    from playtest.play.sessions.ends import end_what_is_over
    from playtest.play.tasks import end_overdue
    from playtest.review.services import decisions

    staff = Staff.objects.get(username=by)
    acts: dict[str, Callable[[], Callable[..., object]]] = {
        "decide": lambda: partial(decisions.decide, Session.objects.get(pk=on), staff),
        "reverse": lambda: partial(decisions.reverse, on, staff),
        "decide_adjustment": lambda: partial(decide_adjustment, Adjustment.objects.get(pk=on), staff=staff),
        "make_batch": lambda: partial(make_batch, Study.objects.get(pk=on), None, None, staff),
        "issue_receipt": lambda: partial(issue_receipt, PayAccount.objects.get(pk=on), staff),
        "enter_code": lambda: partial(seating.check_in, station=Station.objects.get(pk=on)),
        "move": lambda: partial(seating.move_session, Session.objects.get(pk=on), staff=staff, reason=""),
        "page": lambda: lambda: end_what_is_over(on, now()),
        "sweep": lambda: end_overdue,
        "post_missing": lambda: post_missing,
    }
    return acts[act]()


def do(wanted: dict[str, Any]) -> str:
    from playtest.play.errors import Refusal

    carry_out = prepare(wanted["act"], wanted["on"], wanted["by"])
    time.sleep(max(0.0, wanted["at"] - time.time()))
    try:
        carry_out(*wanted["arguments"], **wanted["options"])
    except Refusal as refusal:
        return refusal.code
    return "done"


if __name__ == "__main__":
    django.setup()
    for line in sys.stdin:
        print(json.dumps(do(json.loads(line))), flush=True)  # noqa: T201
