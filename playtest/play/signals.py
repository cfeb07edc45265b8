"""What play tells higher rooms, which connect receivers when they start; `manage.py signals` lists them.

Signals of pages are sent with `send_robust` after the page has its answer: a receiver must return at once,
and one that fails is logged and disturbs nobody. Each is sent in the page's process.
"""

from django.dispatch import Signal

page_opened = Signal()
"""A page of a session has connected. `session`: its `page.connected.ConnectedSession`."""

page_closed = Signal()
"""That connection has ended; a newer one of the same session may be open. `session`."""

turn_sent = Signal()
"""`session`, `turn`: a turn was sent, an action's, which is durable, or the keyframe to continue from.

It is on the way of every action: receivers are connected only while somebody watches.
"""

session_ended = Signal()
"""A session ends. `session`. Sent in the transaction that ends it, with `send_robust`: it ends in any case.

A receiver opens a savepoint (`transaction.atomic`), so that only its own writes are undone if it fails. Its
room has to try again later.
"""

places_asked = Signal()
"""Places of a `study` are about to be promised, `wanted` of them, with the study's row locked.

A receiver raises the Refusal of a rule that speaks against it; nothing is promised then.
"""
