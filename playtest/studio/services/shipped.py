"""What comes with the product and is not in this installation: an upgrade proposes it and loads nothing."""

from collections.abc import Iterator
from functools import cache, lru_cache
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from engine.errors import TaskError
from engine.play.source import TASKS, Source, find, plain_text
from playtest.people.manifests import Waits
from playtest.people.models import Staff
from playtest.people.release import left_to_prepare
from playtest.people.roles import Right
from playtest.rules.kinds import Kind
from playtest.studio.models import Environment, Version
from playtest.studio.services.tasks import files_in, read_task


class Shipped(NamedTuple):
    """One environment or static task. `status` is "new" or "changed" for this installation; `path` is what an
    import copies; `plain` the digest of its plain text.
    """

    code: str
    title: str
    kind: Kind
    digest: str
    path: Path
    plain: str = ""
    status: str = ""


def proposals(directory: Path) -> list[Shipped]:
    """What a games folder has and no version here is, by id. What cannot be read is left out.

    Raises SourceError folder_missing.
    """
    return _new_of(tuple(_shipped(directory)))


def waiting_for(directory: Path, reader: Staff) -> Waits:
    """How many proposals there are for who may import, once all is prepared. The folder is read once."""
    may = reader.may(Right.IMPORT_ENVIRONMENTS)
    if not may or not directory.is_dir() or left_to_prepare().exists():
        return Waits(0, "")
    number = len(_new_of(_read_once(directory)))
    return Waits(number, f"shipped environment{'' if number == 1 else 's'} new or changed")


def _new_of(shipped: tuple[Shipped, ...]) -> list[Shipped]:
    known = set(Version.objects.filter(is_draft=False).values_list("environment__code", "digest"))
    codes = set(Environment.objects.filter(current__isnull=False).values_list("code", flat=True))
    changed = [one for one in shipped if (one.code, one.digest) not in known]
    here = Version.objects.filter(environment__code__in=codes.intersection(one.code for one in changed))
    plain = {(code, _plain(text)) for code, text in here.values_list("environment__code", "source")}
    found = {}
    for one in changed:
        if (one.code, one.plain) not in plain:
            status = "changed" if one.code in codes else "new"
            found[one.code] = one._replace(status=status)
    return [found[code] for code in sorted(found)]


@lru_cache(maxsize=1_000)
def _plain(text: str) -> str:
    return sha256(plain_text(text).encode()).hexdigest()


@cache
def _read_once(directory: Path) -> tuple[Shipped, ...]:
    return tuple(_shipped(directory))


def _shipped(directory: Path) -> Iterator[Shipped]:
    for one in find(directory):
        if isinstance(one, Source):
            path = directory / Path(one.path).relative_to(directory).parts[0]
            plain = _plain(one.text)
            yield Shipped(one.environment_id, one.title, Kind.INTERACTIVE, one.digest, path, plain)
    if (directory / TASKS).is_dir():
        for file in files_in(directory / TASKS):
            try:
                yield Shipped(file.stem, "", Kind.TASK, read_task(file).digest, file)
            except TaskError:
                continue
