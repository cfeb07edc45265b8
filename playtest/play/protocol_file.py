"""A version of a protocol as a file that can be checked without this program."""

import json

from playtest.play.models import ProtocolVersion


def exported(version: ProtocolVersion) -> str:
    """JSON with the study, the version, its protocol and the digest of that.

    The digest is the SHA-256 of the member "protocol" as canonical JSON: names sorted, no spaces, UTF-8. So
    `jq --sort-keys --compact-output --join-output .protocol FILE | sha256sum` prints it, too.
    """
    document = {
        "study": version.study.name,
        "rehearsal": version.study.rehearsal,
        "version": version.number,
        "created_at": version.created_at.isoformat(),
        "frozen_at": version.frozen_at.isoformat() if version.frozen_at else None,
        "reason": version.reason,
        "digest": version.digest,
        "protocol": version.document,
    }
    return json.dumps(document, indent=2, sort_keys=True, ensure_ascii=False) + "\n"
