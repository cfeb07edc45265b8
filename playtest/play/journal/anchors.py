"""The digest of each signed day leaves the building: to a folder, by mail, or to a time stamping service.

An anchor names the day and the SHA-256 of its list, which names the day before: one that is kept elsewhere
is enough to notice that anything up to its day was changed. Where each place is, RECORD_ANCHORS says.
"""

import json
import logging
from collections.abc import Iterator, Sequence
from datetime import date, datetime, timedelta
from email import message_from_bytes, policy
from pathlib import Path
from typing import NamedTuple

from django.conf import settings
from django.core.mail import send_mail

from playtest.people.append_only import Fault
from playtest.play.errors import Refusal
from playtest.play.journal import signer
from playtest.play.journal.days import digest_of
from playtest.play.models import SignedDay

logger = logging.getLogger(__name__)

FORMAT = "playtest anchor 1"
_MAIL = "mailto:"


class Anchor(NamedTuple):
    """The digest of a day's list, and where it was found."""

    day: date
    digest: str
    source: str


def places() -> list[str]:
    """Where anchors go: RECORD_ANCHORS, or a folder in DATA_DIR, from where they can be fetched."""
    return settings.RECORD_ANCHORS or [str(settings.DATA_DIR / "anchors")]


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


def _send(place: str, day: SignedDay) -> None:
    text = text_of(day)
    if place.startswith(_MAIL):
        address = place.removeprefix(_MAIL)
        send_mail(f"Signed record of {day.day}", text + "\n", settings.DEFAULT_FROM_EMAIL, [address])
    else:
        folder = Path(place)
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        (folder / f"playtest-{day.day.isoformat()}-{digest_of(day.document)[:8]}.json").write_text(
            text + "\n"
        )


def waiting_anchors(moment: datetime) -> Iterator[Fault]:
    """Places that have not got the last day that was signed a day before this moment: anchor_waits."""
    signed = SignedDay.objects.filter(signed_at__lt=moment - _SENT_WITHIN).order_by("-day")
    last = signed.values_list("day", flat=True).first()
    for place in places() if last else ():
        sent = signer.sent_to(place)
        if last and (sent is None or sent < last):
            yield Fault("anchor_waits", f"The signed day {last} has not reached {place}.")


_SENT_WITHIN = timedelta(hours=26)


def compare(path: Path) -> Iterator[Fault]:
    """What differs between the record and the anchors in a file, or in the files of a folder.

    Codes: anchor_missing (the record has no such day), anchor_differs. Refusal: anchor_unreadable.
    """
    digests = {day.day: digest_of(day.document) for day in SignedDay.objects.order_by("day")}
    for anchor in _read(path):
        digest = digests.get(anchor.day)
        if digest is None:
            message = f"{anchor.source}: the record has no signed day {anchor.day} any more."
            yield Fault("anchor_missing", message)
        elif digest != anchor.digest:
            message = f"{anchor.source}: the list of {anchor.day} is another one in the record."
            yield Fault("anchor_differs", message)


def _read(path: Path) -> Sequence[Anchor]:
    """The anchors in a file or folder. Refusal: anchor_unreadable, if there are none."""
    files = sorted(one for one in path.rglob("*") if one.is_file()) if path.is_dir() else [path]
    try:
        found = [anchor for file in files for anchor in _anchors(file)]
    except OSError as error:
        raise Refusal("anchor_unreadable", f"{path} cannot be read: {error.strerror}.") from error
    if not found:
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
