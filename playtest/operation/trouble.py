"""What of the installation needs attention: one list, for the Operation page, homes, navigation and metrics.

docs/alarms.md has a paragraph for each code: what it means and what to do.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from django.core.cache import cache
from django.urls import reverse

from playtest.operation.installation import SIGNED_WITHIN, Status, status
from playtest.operation.models import SILENT_AFTER
from playtest.people.manifests import Waits
from playtest.people.models import Staff
from playtest.people.release import computed

BACKUP_DUE_AFTER = timedelta(hours=36)
AUDIT_DUE_AFTER = timedelta(hours=36)
FIRST_AUDIT_WITHIN = timedelta(minutes=10)
JOURNAL_SILENT_AFTER = timedelta(seconds=30)
LONG_QUEUE = 100
LEAST_GIGABYTES = 2.0
MEANINGS = {
    "web": "serves nobody",
    "worker": "ends no overdue session and signs no day",
    "exporter": "makes no export and sends no message",
    "studio": "qualifies no version and audits nothing",
    "beat": "starts no job",
}
"""Kinds of processes, by the Procfile: what does not happen while none of it runs."""
FRESH_SECONDS = 10
_KEY = "operation:troubles"


class Code(StrEnum):
    """What can be the trouble, in the order of the list."""

    JOURNAL = "journal_silent"
    PROCESS_MISSING = "process_missing"
    PROCESS_SILENT = "process_silent"
    VERSIONS = "versions_differ"
    BROKER = "broker_away"
    QUEUE = "queue_long"
    DISK = "disk_low"
    AUDIT_FAILED = "audit_failed"
    AUDIT_MISSING = "audit_missing"
    AUDIT_OLD = "audit_old"
    UNSIGNED = "day_unsigned"
    ANCHOR = "anchor_waits"
    BACKUP_MISSING = "backup_missing"
    BACKUP_OLD = "backup_old"
    OUTAGE = "outage"
    ERRORS = "server_errors"
    LOCKED = "sign_ins_locked"


@dataclass(frozen=True, slots=True)
class Trouble:
    """One thing that needs attention; `since` is None if nobody knows."""

    code: Code
    sentence: str
    since: datetime | None = None

    @property
    def address(self) -> str:
        """The paragraph that says what to do."""
        return f"{reverse('operation:alarms')}#{self.code}"


def of_status(found: Status) -> list[Trouble]:
    """What needs attention in this state; empty if all is well."""
    troubles = [*_of_processes(found), *_of_queues(found), *_of_record(found), *_of_pages(found)]
    return sorted(troubles, key=lambda one: [*Code].index(one.code))


def now() -> list[Trouble]:
    """What needs attention now."""
    return remember(status())


def remember(found: Status) -> list[Trouble]:
    """What needs attention in this state, which is the present one: `lately` gives it out from now on."""
    troubles = of_status(found)
    cache.set(computed(_KEY), troubles, FRESH_SECONDS)
    return troubles


def lately() -> list[Trouble]:
    """What needed attention at most FRESH_SECONDS ago."""
    troubles: list[Trouble] | None = cache.get(computed(_KEY))
    return now() if troubles is None else troubles


def waiting(_: Staff) -> Waits:
    """How many things needed attention lately, for the navigation of every page."""
    return _counted(lately())


def waiting_now(_: Staff) -> Waits:
    """How many things need attention now, for a home, which says what they are."""
    return _counted(now())


def _counted(troubles: list[Trouble]) -> Waits:
    number = len(troubles)
    things = "thing of the installation needs" if number == 1 else "things of the installation need"
    return Waits(number, f"{things} attention", note="\n".join(one.sentence for one in troubles))


def _of_processes(found: Status) -> Iterator[Trouble]:
    running = found.running
    starts = len(running) > 0 and not _ran_for(found, SILENT_AFTER)
    for kind, meaning in MEANINGS.items():
        if not starts and not any(one.kind == kind for one in running):
            gone = [one for one in found.processes if one.kind == kind]
            since = max((one.seen_at for one in gone), default=None)
            seen = " ".join(_silence(one.name, one.machine, found.at - one.seen_at) for one in gone)
            sentence = f"No process {kind} runs, so the installation {meaning}. {seen or 'Start it.'}"
            yield Trouble(Code.PROCESS_MISSING, sentence, since)
    kinds = {one.kind for one in running}
    for one in found.processes:
        if (silence := one.silent_for(found.at)) and (one.kind in kinds or one.kind not in MEANINGS):
            yield Trouble(Code.PROCESS_SILENT, _silence(one.name, one.machine, silence), one.seen_at)
    versions = sorted({one.version for one in running})
    if len(versions) > 1:
        sentence = (
            f"The processes run different versions: {', '.join(versions)}. Restart those of the older one."
        )
        yield Trouble(Code.VERSIONS, sentence, max(one.started_at for one in running))
    if found.journal_at and found.at - found.journal_at > JOURNAL_SILENT_AFTER and "web" in kinds:
        sentence = "A server runs, and no journal is written: nobody's play is recorded."
        yield Trouble(Code.JOURNAL, sentence, found.journal_at)


def _ran_for(found: Status, span: timedelta) -> bool:
    """Whether anything that runs was started longer ago than that."""
    return any(found.at - one.started_at > span for one in found.running)


def _silence(name: str, machine: str, silence: timedelta) -> str:
    return f"{name} on {machine} is silent for {silence.total_seconds():.0f} s. See its log and restart it."


def _of_queues(found: Status) -> Iterator[Trouble]:
    if found.queues is None:
        sentence = "The broker of the queues cannot be reached, so no worker gets a job. Check REDIS_URL."
        yield Trouble(Code.BROKER, sentence)
    for queue, length in (found.queues or {}).items():
        if length > LONG_QUEUE:
            sentence = f"{length} calls wait in the queue {queue}. Look whether its workers run."
            yield Trouble(Code.QUEUE, sentence)


def _of_record(found: Status) -> Iterator[Trouble]:
    backup, audit = found.backup, found.audit
    if backup is None:
        yield Trouble(Code.BACKUP_MISSING, "There is no backup yet. Run: manage.py backup --to DIR")
    elif found.at - backup.ended_at > BACKUP_DUE_AFTER:
        sentence = "The last backup is older than a day and a half. Run: manage.py backup --to DIR"
        yield Trouble(Code.BACKUP_OLD, sentence, backup.ended_at)
    if audit is None:
        if _ran_for(found, FIRST_AUDIT_WITHIN):
            sentence = "The record was never audited here. Look whether studio runs, or: manage.py audit"
            yield Trouble(Code.AUDIT_MISSING, sentence)
    elif not audit.succeeded:
        sentence = f"The last audit found something: {audit.summary}. Run it again: manage.py audit"
        yield Trouble(Code.AUDIT_FAILED, sentence, audit.ended_at)
    if audit and found.at - audit.ended_at > AUDIT_DUE_AFTER:
        sentence = "The last audit is older than a day and a half. Look whether studio and beat run."
        yield Trouble(Code.AUDIT_OLD, sentence, audit.ended_at)
    if (since := found.unsigned_since) and found.at - since > SIGNED_WITHIN:
        sentence = f"What was recorded since {since:%Y-%m-%d %H:%M} UTC is in no signed day."
        yield Trouble(Code.UNSIGNED, sentence, since)
    for sentence in found.anchors:
        yield Trouble(Code.ANCHOR, sentence)
    if found.free_gigabytes < LEAST_GIGABYTES:
        sentence = f"Only {found.free_gigabytes:.1f} GB are free on the disk of DATA_DIR. Free some space."
        yield Trouble(Code.DISK, sentence)


def _of_pages(found: Status) -> Iterator[Trouble]:
    if found.outage:
        began, ended = found.outage
        seconds = (ended - began).total_seconds()
        sentence = (
            f"For {seconds:.0f} s no server could record. The clocks of everybody in session stood still."
        )
        yield Trouble(Code.OUTAGE, sentence, began)
    if found.errors.number:
        sentence = f"{found.errors.number} requests ended with an error of the server (5xx). See its log."
        yield Trouble(Code.ERRORS, sentence, found.errors.since)
    if found.locked.number:
        sentence = f"{found.locked.number} sign-ins were refused after too many wrong passwords or codes."
        yield Trouble(Code.LOCKED, sentence, found.locked.since)
