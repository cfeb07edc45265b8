"""The list of withdrawals that no backup holds, so that a withdrawal outlives a restore.

A JSON object a line, only appended: `participant` (the record's number), `digest` (SHA-256 over number,
pseudonym and time of creation: numbers are given anew after a restore) and `withdrawn_at`. No personal data.
"""

import json
import os
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

from django.conf import settings

from playtest.people.models import Participant, Withdrawal
from playtest.play.errors import Refusal

NAME = "withdrawals.jsonl"


def list_path() -> Path:
    """WITHDRAWALS_FILE, or a file of DATA_DIR that backups leave out."""
    return Path(settings.WITHDRAWALS_FILE or settings.DATA_DIR / NAME)


def check_writable() -> None:
    """Refusal withdrawals_unwritable: nobody's data is deleted if a restore would bring it back."""
    try:
        list_path().parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        list_path().open("a").close()
    except OSError as error:
        message = f"{list_path()} cannot be written: {error.strerror}. Set WITHDRAWALS_FILE."
        raise Refusal("withdrawals_unwritable", message) from error


def keep_list(*others: Path) -> None:
    """Appends the withdrawals of the database, and the lines of other lists, that the list lacks.

    Also those of the list's usual place: WITHDRAWALS_FILE can be set later.
    """
    known = set(_lines(list_path()))
    others = (*others, settings.DATA_DIR / NAME)
    done = Withdrawal.objects.filter(finished_at__isnull=False).select_related("participant")
    wanted = [line for other in others for line in _lines(other)]
    wanted += [_line(one) for one in done.order_by("pk")]
    missing = [line for line in dict.fromkeys(wanted) if line not in known]
    if missing:
        check_writable()
        _append(list_path(), missing)


def copy_beside(folder: Path) -> None:
    """Appends what the list in this folder lacks: beside backups it outlives the disk of the list itself."""
    keep_list()
    beside = folder / NAME
    known = set(_lines(beside))
    _append(beside, [line for line in _lines(list_path()) if line not in known])


def _append(path: Path, lines: list[str]) -> None:
    with path.open("a") as file:
        file.writelines(f"{line}\n" for line in lines)
        file.flush()
        os.fsync(file.fileno())


def returned() -> list[Participant]:
    """The people of the list who have not withdrawn in this database: a restore brought them back."""
    wanted: dict[int, set[str]] = {}
    for line in _lines(list_path()):
        said: dict[str, Any] = json.loads(line)
        wanted.setdefault(said["participant"], set()).add(said["digest"])
    people = Participant.objects.filter(pk__in=wanted, withdrawal=None).order_by("pk")
    return [one for one in people if _digest(one) in wanted[one.pk]]


def _digest(person: Participant) -> str:
    return sha256(f"{person.pk}:{person.label}:{person.created_at.isoformat()}".encode()).hexdigest()


def _line(one: Withdrawal) -> str:
    person = one.participant
    said = {"participant": person.pk, "digest": _digest(person), "withdrawn_at": one.started_at.isoformat()}
    return json.dumps(said, sort_keys=True)


def _lines(path: Path) -> Iterator[str]:
    if path.exists():
        yield from filter(None, path.read_text().splitlines())
