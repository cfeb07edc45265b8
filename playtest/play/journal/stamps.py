"""Time stamps (RFC 3161): an authority signs the digest of a day's list, with the time at which it was there.

Nobody here can make a stamp, nor one of an earlier time. It counts if it leads to a certificate of the PEM
file that RECORD_STAMP_ROOTS names. If the authority's own certificate is there, too, it is asked for stamps
without certificates: the library refuses answers that have several of them in another order than DER's.
"""

import time
from datetime import datetime
from http.client import HTTPException
from pathlib import Path
from typing import NamedTuple
from urllib.request import Request, urlopen

from cryptography.x509 import (
    Certificate,
    ExtendedKeyUsage,
    ExtensionNotFound,
    load_pem_x509_certificates,
)
from cryptography.x509.oid import ExtendedKeyUsageOID
from django.conf import settings
from rfc3161_client import (
    HashAlgorithm,
    TimestampRequestBuilder,
    VerificationError,
    VerifierBuilder,
    decode_timestamp_response,
)

from playtest.play.errors import Refusal

_SECONDS = 10.0
_LARGEST = 200_000
"""Bytes of an answer: a stamp with its certificates takes about 6,000."""


class Stamp(NamedTuple):
    """A stamp that is valid: the SHA-256 of what was stamped, hexadecimal, and when."""

    digest: str
    at: datetime


def request_stamp(address: str, text: str) -> bytes:
    """The answer of the authority at this address (DER) to the SHA-256 of a text; `read_stamp` accepts it.

    Refusal: stamp_unreachable, stamp_invalid, stamp_roots_missing.
    """
    roots, own = _certificates()  # before: what cannot be verified is no stamp
    building = TimestampRequestBuilder().data(text.encode()).hash_algorithm(HashAlgorithm.SHA256)
    asked = building.cert_request(cert_request=own is None).build()
    headers = {"Content-Type": "application/timestamp-query"}
    try:
        found = _fetch(Request(address, asked.as_bytes(), headers))
    except (OSError, HTTPException, ValueError) as error:
        raise Refusal("stamp_unreachable", f"{address} gave no time stamp: {error}") from error
    try:
        answer = decode_timestamp_response(found)
        verifier = VerifierBuilder(roots=roots, tsa_certificate=own, nonce=asked.nonce).build()
        verifier.verify_message(answer, text.encode())
    except (ValueError, VerificationError) as error:
        raise Refusal("stamp_invalid", f"The answer of {address} is no valid stamp: {error}") from error
    return found


def read_stamp(answer: bytes) -> Stamp:
    """What a stored answer says. Refusal: stamp_invalid, stamp_roots_missing."""
    roots, own = _certificates()
    verifier = VerifierBuilder(roots=roots, tsa_certificate=own).build()
    try:
        decoded = decode_timestamp_response(answer)
        digest = decoded.tst_info.message_imprint.message
        verifier.verify(decoded, digest)
        return Stamp(digest.hex(), decoded.tst_info.gen_time)
    except (ValueError, VerificationError) as error:
        raise Refusal("stamp_invalid", f"is no valid time stamp: {error}") from error


def _certificates() -> tuple[list[Certificate], Certificate | None]:
    """What stamps must lead to, and the authority's own certificate, if it is there. Refusal as above."""
    path = settings.RECORD_STAMP_ROOTS
    if not path:
        message = "RECORD_STAMP_ROOTS names no PEM file with the root certificate of the authority."
        raise Refusal("stamp_roots_missing", message)
    try:
        found = load_pem_x509_certificates(Path(path).read_bytes())
    except (OSError, ValueError) as error:
        raise Refusal("stamp_roots_missing", f"{path} has no certificate in PEM form: {error}") from error
    return found, next(filter(_stamps, found), None)


def _stamps(certificate: Certificate) -> bool:
    """Whether a certificate is for time stamps."""
    try:
        uses = certificate.extensions.get_extension_for_class(ExtendedKeyUsage).value
    except ExtensionNotFound:
        return False
    return ExtendedKeyUsageOID.TIME_STAMPING in uses


def _fetch(request: Request) -> bytes:
    """The body of an answer, within `_SECONDS` even if it comes in drops. ValueError if it is too large."""
    until, found = time.monotonic() + _SECONDS, b""
    with urlopen(request, timeout=_SECONDS) as response:
        while part := response.read1(_LARGEST):
            found += part
            if len(found) > _LARGEST:
                raise ValueError("the answer is too large")
            if time.monotonic() > until:
                raise TimeoutError(f"the answer took more than {_SECONDS:g} s")
    return found
