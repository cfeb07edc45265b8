"""What this process measures about play while it happens, for `/metrics` (docs/operation.md).

Observing costs a microsecond or two. What can be read when somebody asks (live environments, hosts, rows that
wait) is read then, by `playtest.operation.metrics`, and costs play nothing.
"""

from prometheus_client import Counter, Gauge, Histogram

from engine.errors import FAULT_CODES
from playtest.rules.attempt import PlayedBy

_SECONDS = [
    *(0.001, 0.002, 0.004, 0.006, 0.008, 0.01, 0.015, 0.02, 0.03, 0.05),
    *(0.1, 0.25, 0.5, 1.0, 2.5, 5.0),
]

_actions = Histogram(
    "playtest_action_seconds",
    "Time from an action's arrival in the room of play until its turn is durable",
    ["player"],
    buckets=_SECONDS,
)
ACTIONS = {player: _actions.labels(player.value) for player in PlayedBy}

REBUILDS = Histogram(
    "playtest_rebuild_seconds",
    "Time to rebuild one environment from its journal",
    buckets=[0.01, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0],
)
FAULTS = Counter(
    "playtest_environment_faults",
    "Attempts ended because their environment failed, or games that changed what they share",
    ["code"],
)
for _code in FAULT_CODES:  # from the beginning: an increase is only seen of a series that was there before
    FAULTS.labels(_code)
LOST_HOSTS = Counter("playtest_lost_hosts", "Engine hosts that ended without being told to")

JOURNAL_GROUPS = Histogram(
    "playtest_journal_group_rows",
    "Rows that the journal stored in one transaction",
    buckets=(1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024),
)
JOURNAL_SECONDS = Histogram(
    "playtest_journal_commit_seconds", "Time to store one group in the journal", buckets=_SECONDS
)
JOURNAL_FAILURES = Counter("playtest_journal_failed_rows", "Rows that the journal could not store")
JOURNAL_WRITTEN_AT = Gauge(
    "playtest_journal_written_timestamp_seconds",
    "When the journal's writer last committed, heartbeats included",
)
