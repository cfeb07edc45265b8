"""Read tokens: scripts read the tables of one study with them. A secret is told once and stored as a hash."""

import secrets
from datetime import timedelta
from hashlib import sha256

from playtest.jobs.lifecycle import Enqueue
from playtest.jobs.models import UNFINISHED, JobStatus
from playtest.people.models import Staff
from playtest.people.rate_limits import allow
from playtest.people.roles import Right
from playtest.play.clock import now
from playtest.play.errors import Refusal
from playtest.play.models import Study
from playtest.review.models import Export, ReadToken
from playtest.review.queries.exports import environments_of_study
from playtest.review.services.dataset import KINDS
from playtest.review.services.export_files import folder
from playtest.review.services.exports import request_dataset
from playtest.studio.models import SightingKind
from playtest.studio.services.sightings import note_sightings

MOST_DAYS = 366
PER_MINUTE = 60
"""Requests of a token, and wrong tokens of an address."""
FRESH = timedelta(minutes=15)
"""Tables are written anew for the first request after so long."""
_SECRET_BYTES, _HINT = 24, 4


def create_token(study: Study, name: str, days: int, staff: Staff) -> tuple[ReadToken, str]:
    """Creates a token that expires after some days; returns it and its secret.

    Refusal (400): name_missing, days_invalid.
    """
    if not (name := " ".join(name.split())):
        raise Refusal("name_missing", "Enter a name that says what the token is for.", status=400)
    if not 1 <= days <= MOST_DAYS:
        raise Refusal("days_invalid", f"A token lasts from 1 to {MOST_DAYS} days.", status=400)
    secret, moment = secrets.token_hex(_SECRET_BYTES), now()
    made = ReadToken.objects.create(
        study=study,
        name=name[:100],
        token_hash=_hash(secret),
        hint=secret[-_HINT:],
        created_at=moment,
        created_by=staff,
        expires_at=moment + timedelta(days=days),
    )
    return made, secret


def revoke_token(token: ReadToken, staff: Staff) -> None:
    """Makes a token invalid for good. Refusal: token_revoked."""
    found = ReadToken.objects.filter(pk=token.pk, revoked_at=None)
    if not found.update(revoked_at=now(), revoked_by=staff):
        raise Refusal("token_revoked", "This token is revoked already.")


def token_of(secret: str, study: int, address: str) -> ReadToken:
    """The token with this secret, if it reads this study now. It is as good as the right of who made it.

    Refusal: token_invalid (401), too_many_requests (429).
    """
    moment = now()
    found = ReadToken.objects.select_related("study", "created_by").filter(
        token_hash=_hash(secret), study=study, revoked_at=None, expires_at__gt=moment
    )
    token = found.first()
    valid = token is not None and token.created_by.is_active and token.created_by.may(Right.TAKE_DATA)
    if not allow(f"read-token:{token.pk if token and valid else address}", PER_MINUTE, 60):
        message = f"At most {PER_MINUTE} requests a minute: wait a minute."
        raise Refusal("too_many_requests", message, status=429)
    if token is None or not valid:
        message = (
            "There is no such token for this study: it is wrong, revoked or has expired. Make another one."
        )
        raise Refusal("token_invalid", message, status=401)
    ReadToken.objects.filter(pk=token.pk).update(used_at=moment)
    return token


def fresh_export(token: ReadToken, form: str, enqueue: Enqueue) -> Export:
    """The newest data of the token's study in this form, without names; asked for if they are too old.

    Refusal: data_in_preparation (429, so that clients ask again and nobody counts a failure of the server).
    """
    kind = next(kind for kind, name in KINDS.items() if name == form)
    exports = Export.objects.filter(study=token.study, kind=kind, options__identified=False)
    fresh = exports.filter(status=JobStatus.DONE, started_at__gt=now() - FRESH).exclude(file="")
    made = fresh.order_by("-pk").first()
    if made is not None and (folder() / made.file).is_file():
        taken = environments_of_study(token.study).values_list("pk", flat=True)
        note_sightings(taken, SightingKind.FILE, token.created_by, f"read token {token.name}")
        return made
    if not exports.filter(status__in=UNFINISHED).exists():
        request_dataset(token.study, kind, token.created_by, enqueue, identified=False)
    message = "The tables are being written. Ask again after the seconds of Retry-After."
    raise Refusal("data_in_preparation", message, status=429)


def _hash(secret: str) -> str:
    return sha256(secret.encode(errors="surrogatepass")).hexdigest()
