"""The digest of each signed day leaves the building: to a folder, by mail, or to a time stamping service.

An anchor names the day and the SHA-256 of its list, which names the day before: one that is kept elsewhere
is enough to notice that anything up to its day was changed. Where each place is, RECORD_ANCHORS says.
"""

import json
import logging
import re
import threading
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from email import message_from_bytes, policy
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

from django.conf import settings
from django.core.mail import send_mail
from django.db import connection

from playtest.people.append_only import Fault
from playtest.play.errors import Refusal
from playtest.play.journal import signer
from playtest.play.journal.days import digest_of
from playtest.play.journal.stamps import read_stamp, request_stamp
from playtest.play.models import SignedDay

logger = logging.getLogger(__name__)

FORMAT = "playtest anchor 1"
_MAIL = "mailto:"
_WEB = ("http://", "https://")
_STAMP = ".tsr"


class Anchor(NamedTuple):
    """The digest of a day's list, and where it was found."""

    day: date
    digest: str
    source: str


def places() -> list[str]:
    """Where anchors go: RECORD_ANCHORS, or a folder in DATA_DIR, from where they can be fetched."""
    return settings.RECORD_ANCHORS or [str(_own_folder())]


def _own_folder() -> Path:
    return Path(settings.DATA_DIR) / "anchors"


def text_of(day: SignedDay) -> str:
    """A day's anchor: JSON in one line."""
    said = {"format": FORMAT, "day": day.day.isoformat(), "digest": digest_of(day.document)}
    return json.dumps(said)


def send_anchors() -> None:
    """Bring each place the days that it does not have; a place that fails is tried again at the next call.

    A new place gets the newest day, which covers those before.
    """
    days = list(SignedDay.objects.order_by("day").only("day", "document"))
    for place in places() if days else ():
        sent = signer.sent_to(place)
        for day in days[-1:] if sent is None else [day for day in days if day.day > sent]:
            try:
                _send(place, day)
            except Exception as error:
                logger.exception("the signed day %s did not reach %s", day.day, place, exc_info=error)
                break
            signer.note_sent(place, day.day)


_sending = threading.Lock()


def send_anchors_aside() -> None:
    """As `send_anchors`, in a thread of its own, if none is at it: a place that is slow delays nobody."""

    def send() -> None:
        try:
            send_anchors()
        except Exception:
            logger.exception("no signed day was sent")
        finally:
            connection.close()
            _sending.release()

    if _sending.acquire(blocking=False):
        threading.Thread(target=send, name="anchors", daemon=True).start()


def _send(place: str, day: SignedDay) -> None:
    text = text_of(day)
    if place.startswith(_MAIL):
        address = place.removeprefix(_MAIL)
        send_mail(f"Signed record of {day.day}", text + "\n", settings.DEFAULT_FROM_EMAIL, [address])
    elif place.startswith(_WEB):
        stamp = request_stamp(place, day.document)
        url = urlsplit(place)
        authority = re.sub(r"[^\w.]+", "-", f"{url.hostname}-{url.port or ''}{url.path}").strip("-")
        _keep(_own_folder(), day, f"-{authority}{_STAMP}", stamp)
    else:
        _keep(Path(place), day, ".json", f"{text}\n".encode())


def _keep(folder: Path, day: SignedDay, ending: str, content: bytes) -> None:
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    (folder / f"playtest-{day.day.isoformat()}-{digest_of(day.document)[:8]}{ending}").write_bytes(content)


def waiting_anchors(moment: datetime) -> Iterator[Fault]:
    """Places that have not got the last day that was signed a day before this moment: anchor_waits."""
    signed = SignedDay.objects.filter(signed_at__lt=moment - _SENT_WITHIN).order_by("-day")
    last = signed.values_list("day", flat=True).first()
    for place in places() if last else ():
        sent = signer.sent_to(place)
        if last and (sent is None or sent < last):
            yield Fault("anchor_waits", f"The signed day {last} has not reached {place}.")


_SENT_WITHIN = timedelta(hours=26)


_STAMPED_WITHIN = timedelta(days=3)


def compare(path: Path) -> Iterator[Fault]:
    """What differs between the record and the anchors in a file, or in the files of a folder.

    Codes: anchor_missing (the record has no such day), anchor_differs; of time stamps, stamp_invalid,
    stamp_missing (no list of the record is the one that was stamped) and stamp_late (it was stamped days
    later). Refusal: anchor_unreadable, stamp_roots_missing.
    """
    digests = {day.day: digest_of(day.document) for day in SignedDay.objects.order_by("day")}
    days = {digest: day for day, digest in digests.items()}
    files = _files(path)
    stamps = [file for file in files if file.suffix == _STAMP]
    for file in stamps:
        yield from _stamp_faults(file, days)
    for anchor in _read(path, [file for file in files if file.suffix != _STAMP], required=not stamps):
        digest = digests.get(anchor.day)
        if digest is None:
            message = f"{anchor.source}: the record has no signed day {anchor.day} any more."
            yield Fault("anchor_missing", message)
        elif digest != anchor.digest:
            message = f"{anchor.source}: the list of {anchor.day} is another one in the record."
            yield Fault("anchor_differs", message)


def _stamp_faults(file: Path, days: Mapping[str, date]) -> Iterator[Fault]:
    """What is wrong with a time stamp, after the record's days by their digests."""
    try:
        stamp = read_stamp(file.read_bytes())
    except Refusal as refusal:
        if refusal.code != "stamp_invalid":
            raise
        yield Fault(refusal.code, f"{file.name} {refusal.message}")
        return
    day = days.get(stamp.digest)
    if day is None:
        message = (
            f"{file.name}: the list that was stamped at {stamp.at:%Y-%m-%d %H:%M} UTC is not in the record."
        )
        yield Fault("stamp_missing", message)
    elif stamp.at - datetime.combine(day, time.max, UTC) > _STAMPED_WITHIN:
        message = f"{file.name}: the list of {day} was stamped at {stamp.at:%Y-%m-%d %H:%M} UTC, days later."
        yield Fault("stamp_late", message)


def _files(path: Path) -> list[Path]:
    return sorted(one for one in path.rglob("*") if one.is_file()) if path.is_dir() else [path]


def _read(path: Path, files: Sequence[Path], *, required: bool) -> Sequence[Anchor]:
    """The anchors in these files. Refusal: anchor_unreadable, also for none where one is `required`."""
    try:
        found = [anchor for file in files for anchor in _anchors(file)]
    except OSError as error:
        raise Refusal("anchor_unreadable", f"{path} cannot be read: {error.strerror}.") from error
    if required and not found:
        raise Refusal(
            "anchor_unreadable", f"No anchor is in {path}: files of its folder, or mails as they came."
        )
    return found


def _text_in(file: Path) -> str:
    """The text of a file; of a mail its body, which may be encoded."""
    content = file.read_bytes()
    body = message_from_bytes(content, policy=policy.default)
    if body["Subject"] and (plain := body.get_body(("plain",))) is not None:
        return str(plain.get_content())
    return content.decode(errors="replace")


def _anchors(file: Path) -> Iterator[Anchor]:
    for line in _text_in(file).splitlines():
        try:
            said = json.loads(line)
            if said["format"] == FORMAT:
                yield Anchor(date.fromisoformat(said["day"]), str(said["digest"]), file.name)
        except (ValueError, TypeError, KeyError):
            continue  # other lines of a mail
