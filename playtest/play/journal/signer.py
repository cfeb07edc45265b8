"""The signer's key and its memory: the file `record_key`, and beside it what it signed last.

The key is created on first use in DATA_DIR, or read from RECORD_KEY_FILE. The memory is a file of the same
name that ends with `.last`: with the database alone, nobody makes the signer sign another past.
"""

import contextlib
import json
import os
from datetime import date
from pathlib import Path
from typing import NamedTuple

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
)
from django.conf import settings

from playtest.play.errors import Refusal

_NAME = "record_key"


def signing_key() -> Ed25519PrivateKey:
    """The key of this installation. Refusal: record_key_missing, record_key_invalid."""
    path = _path()
    if not path.exists():
        if settings.RECORD_KEY_FILE:
            raise Refusal("record_key_missing", f"RECORD_KEY_FILE names {path}, and no such file exists.")
        _make(path)
    return _read(path)


def public_bytes(key: Ed25519PublicKey) -> bytes:
    """The 32 bytes of a public key."""
    return key.public_bytes(Encoding.Raw, PublicFormat.Raw)


def trusted_keys() -> set[bytes]:
    """The public keys that are trusted: this installation's, and those of RECORD_PUBLIC_KEYS.

    Makes no key: where there is none yet, nothing was signed here. Refusal: record_key_invalid.
    """
    trusted = {bytes.fromhex(key) for key in settings.RECORD_PUBLIC_KEYS}
    path = _path()
    return trusted | {public_bytes(_read(path).public_key())} if path.exists() else trusted


def _path() -> Path:
    return Path(settings.RECORD_KEY_FILE or settings.DATA_DIR / _NAME)


def _make(path: Path) -> None:
    """Write a new key that only its owner can read; if another process was first, use that key."""
    pem = Ed25519PrivateKey.generate().private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    made = path.with_suffix(f".{os.getpid()}")
    made.touch(mode=0o600)
    made.write_bytes(pem)
    with contextlib.suppress(FileExistsError):
        path.hardlink_to(made)
    made.unlink()


def _read(path: Path) -> Ed25519PrivateKey:
    try:
        key = load_pem_private_key(path.read_bytes(), password=None)
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        raise _invalid(path) from error
    if not isinstance(key, Ed25519PrivateKey):
        raise _invalid(path)
    return key


def _invalid(path: Path) -> Refusal:
    message = (
        f"{path} is not an Ed25519 private key in PEM form. Put the right file there;"
        " no day is signed until then."
    )
    return Refusal("record_key_invalid", message)


class Memory(NamedTuple):
    """The last day that was signed, and the digest of its list; None before the first."""

    day: date | None
    digest: str


def memory_path() -> Path:
    """Where the signer remembers what it signed last."""
    path = _path()
    return path.with_name(f"{path.name}.last")


def recall() -> Memory | None:
    """What was signed last; None if nothing is remembered. Refusal: memory_unreadable."""
    path = memory_path()
    try:
        said = json.loads(path.read_text())
        day = said["day"]
        return Memory(None if day is None else date.fromisoformat(day), str(said["digest"]))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, TypeError, KeyError) as error:
        raise Refusal("memory_unreadable", f"{path} cannot be read: {error}") from error


def remember(day: date | None, digest: str) -> None:
    """Replace the memory, whole and on disk. Refusal: memory_unwritable."""
    try:
        _replace(memory_path(), json.dumps({"day": day and day.isoformat(), "digest": digest}))
    except OSError as error:
        message = f"{memory_path()} cannot be written: {error.strerror}. No day is signed until then."
        raise Refusal("memory_unwritable", message) from error


def sent_to(place: str) -> date | None:
    """The last day whose digest reached this place (`play.journal.anchors`); None before the first."""
    found = _sent().get(place)
    return None if found is None else date.fromisoformat(found)


def note_sent(place: str, day: date) -> None:
    """A day's digest has reached this place."""
    _replace(_path().with_name(f"{_path().name}.sent"), json.dumps(_sent() | {place: day.isoformat()}))


def _sent() -> dict[str, str]:
    try:
        return dict(json.loads(_path().with_name(f"{_path().name}.sent").read_text()))
    except (FileNotFoundError, ValueError):
        return {}


def _replace(path: Path, text: str) -> None:
    made = path.with_name(f"{path.name}.{os.getpid()}")
    with made.open("w") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    made.chmod(0o600)
    made.replace(path)
