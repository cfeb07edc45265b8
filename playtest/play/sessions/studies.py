"""Studies, the numbered versions of the protocol that their sessions follow, and their surveys."""

import json
from collections.abc import Collection
from dataclasses import replace

from django.db import transaction

from playtest.people.models import Staff
from playtest.play.clock import now
from playtest.play.errors import Refusal, once
from playtest.play.models import ProtocolVersion, Study
from playtest.play.sessions.locks import locked_study
from playtest.rules.pipeline import WITH_PEOPLE
from playtest.rules.protocol import DEFAULT, Protocol
from playtest.rules.survey import Question
from playtest.studio.models import Environment


def questions_of_study(study: Study) -> tuple[Question, ...]:
    """Every question that the study has asked or asks, by its newest wording; those asked now come first."""
    newest_first = study.protocol_versions.order_by("-number")
    found: dict[str, Question] = {}
    for version in newest_first:
        for question in version.value.survey:
            found.setdefault(question.name, question)
    return tuple(found.values())


def refuse_other_answers(study: Study, survey: tuple[Question, ...]) -> None:
    """Refuses a name that would mean answers of two types in one column of the data.

    Refusal: question_name_used.
    """
    asked = study.protocol_versions.filter(frozen_at__isnull=False).order_by("-number")
    wholes = {question.name: question.is_whole for version in asked for question in version.value.survey}
    for question in survey:
        if wholes.get(question.name, question.is_whole) != question.is_whole:
            message = (
                f"{question.name} was asked before and answered in another way: give the new question a name"
                " of its own."
            )
            raise Refusal("question_name_used", message)


LEAST_REASON, MOST_REASON = 10, 2_000
"""Characters of a reason."""


def create_study(
    staff: Staff | None,
    *,
    name: str,
    pool: Collection[Environment],
    protocol: Protocol = DEFAULT,
    open: bool = True,  # noqa: A002
    rehearsal: bool = False,
    outside: bool = False,
) -> Study:
    """A study with its pool; version 1 of its protocol is a draft. `outside`: nobody will be seated in it.

    Refusal: name_taken, pool_empty; pool_too_early of what is not for real people, unless it is a rehearsal.

    RuleError amount_invalid: fee or bonus has more decimals than the center's currency.
    """
    if not (rehearsal or outside):
        _check_stages(pool)
    study = Study(name=name, open=open, rehearsal=rehearsal, created_at=now(), created_by=staff)
    with transaction.atomic():
        codes = _save(study, pool)
        protocol.pay.check(study.currency)
        version = ProtocolVersion(
            study=study, number=1, created_at=study.created_at, created_by=staff, reason=""
        )
        version.write(replace(protocol, environments=codes)).save()
    return study


def change_study(
    study: Study,
    *,
    pool: Collection[Environment],
    protocol: Protocol | None = None,
    staff: Staff | None = None,
    reason: str = "",
    edition: str | None = None,
    name: str | None = None,
    open: bool | None = None,  # noqa: A002
    rehearsal: bool | None = None,
) -> Study:
    """Change a study; None leaves a field as it is. A changed protocol holds for later check-ins.

    A draft of the protocol is changed in place, a frozen version is followed by the next one. From the first
    frozen version on every change needs a reason, and whether the study is a rehearsal is fixed. `edition` is
    the `ProtocolVersion.edition` that the change was made from: if the newest is another, nothing changes.

    The pool is part of a version, but an environment joins and leaves it for everyone at once.

    Refusal: name_taken, pool_empty, pool_too_early of what joins, protocol_changed, question_name_used,
    rehearsal_fixed, study_from_outside, reason_missing, reason_too_long.
    """
    with transaction.atomic():
        newest = _locked_newest(study)
        if edition is not None and edition != newest.edition:
            raise Refusal(
                "protocol_changed",
                "Somebody changed the protocol of this study after you opened this page. Open the"
                " page again, then make your change.",
            )
        frozen = newest.number > 1 or newest.frozen_at is not None
        study.refresh_from_db()
        if frozen and rehearsal not in (None, study.rehearsal):
            message = (
                "Somebody has checked in, so whether this study is a rehearsal can no longer be changed."
                " Create another study."
            )
            raise Refusal("rehearsal_fixed", message)
        if open and study.is_outside:
            message = "The data of this study come from elsewhere: nobody can be seated in it."
            raise Refusal("study_from_outside", message)
        known = set() if study.rehearsal else set(study.pool.values_list("pk", flat=True))
        study.name = study.name if name is None else name
        study.open = study.open if open is None else open
        study.rehearsal = study.rehearsal if rehearsal is None else rehearsal
        if not (study.rehearsal or study.is_outside):
            _check_stages([one for one in pool if one.pk not in known])
        codes = _save(study, pool)
        changed = replace(protocol or newest.value, environments=codes)
        refuse_other_answers(study, changed.survey)
        if changed.digest != newest.digest:
            changed.pay.check(study.currency)
            _write(newest, changed, staff, _checked_reason(reason) if frozen else reason.strip())
    return study


def _check_stages(pool: Collection[Environment]) -> None:
    """Refusal pool_too_early: members of the public play only what has come to External."""
    if early := sorted(one.code for one in pool if one.stage not in WITH_PEOPLE):
        message = f"Not yet for real people: {', '.join(early)}. Move it to External, or make a rehearsal."
        raise Refusal("pool_too_early", message)


def freeze_protocol(study: Study) -> ProtocolVersion:
    """Freeze the newest version if needed and return it. Called at check-in, within a transaction."""
    newest = _locked_newest(study)
    if newest.frozen_at is None:
        newest.frozen_at = now()
        newest.save(update_fields=["frozen_at"])
    return newest


def _locked_newest(study: Study) -> ProtocolVersion:
    """The newest version, with the study's row locked against other check-ins and changes."""
    return locked_study(study.pk).newest_version


def _write(newest: ProtocolVersion, protocol: Protocol, staff: Staff | None, reason: str) -> None:
    """Change the draft, or make the next version where the newest is frozen."""
    version = newest
    if newest.frozen_at is not None:
        version = ProtocolVersion(study_id=newest.study_id, number=newest.number + 1)
    version.reason, version.created_at, version.created_by = reason, now(), staff
    version.write(protocol).save()


def _checked_reason(reason: str) -> str:
    reason = reason.strip()
    if len(reason) < LEAST_REASON:
        message = (
            f"Give a reason of at least {LEAST_REASON} characters, because sessions follow an earlier version"
            " of this protocol. It is stored with the new version and shown for good."
        )
        raise Refusal("reason_missing", message)
    if len(reason) > MOST_REASON:
        raise Refusal("reason_too_long", f"At most {MOST_REASON} characters: shorten the reason.")
    return reason


def _save(study: Study, pool: Collection[Environment]) -> tuple[str, ...]:
    """Save the study with its pool, and return the pool's codes. Within a transaction."""
    if not pool:
        raise Refusal("pool_empty", "Choose at least one environment for the pool.")
    with once("name_taken", "Another study has this name. Choose a different one."):
        study.save()
        study.pool.set(pool)
    return tuple(sorted(environment.code for environment in pool))


def exported(version: ProtocolVersion) -> str:
    """JSON with the study, the version, its protocol and the digest of that.

    The digest is the SHA-256 of the member "protocol" as canonical JSON: names sorted, no spaces, UTF-8. So
    `jq --sort-keys --compact-output --join-output .protocol FILE | sha256sum` prints it, too.
    """
    document = {
        "study": version.study.name,
        "rehearsal": version.study.rehearsal,
        "currency": version.study.currency,
        "version": version.number,
        "created_at": version.created_at.isoformat(),
        "frozen_at": version.frozen_at.isoformat() if version.frozen_at else None,
        "reason": version.reason,
        "digest": version.digest,
        "protocol": version.document,
    }
    return json.dumps(document, indent=2, sort_keys=True, ensure_ascii=False) + "\n"
