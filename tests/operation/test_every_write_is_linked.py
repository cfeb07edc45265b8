"""Whatever way the product writes to a table of the record leaves a link, and no table is forgotten."""

import re
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.conf import settings
from django.db import models
from django.db.models import F
from pytest_django import Settings

from playtest.operation.audit import findings
from playtest.people.append_only import protected
from playtest.people.models import Participant, RecordLink, Staff
from playtest.people.record.links import Recorded, RecordedQuerySet
from playtest.people.record.upgrade import linked_models
from playtest.people.roles import Role
from playtest.people.services import new_participants
from playtest.play.models import Study
from playtest.studio.models import Environment
from tests import make
from tests.staff import staff

pytestmark = [pytest.mark.django_db, pytest.mark.once]

LIBRARIES = {"otp_totp_totpdevice", "otp_static_staticdevice", "otp_static_statictoken"}
BY_HAND = {
    "people/record/links.py",
    "people/second_factor.py",
    "people/record/signing.py",
    "play/journal/sql.py",
    "review/services/withdrawal.py",
}
"""What writes rows of the record past `Recorded`: by SQL, or of a library's model."""
PAST_DJANGO = re.compile(
    r"_raw_delete|_base_manager\.\w*(update|delete|create)|INSERT INTO|UPDATE \w+ SET|DELETE FROM"
)


@pytest.fixture(autouse=True)
def folder(settings: Settings, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path


@pytest.mark.services
def test_each_way_of_django_to_write_leaves_links() -> None:
    people = new_participants(["one", "two", "three"])
    for number, person in enumerate(people):
        person.reference = f"person {number}"
    Participant.objects.bulk_update(people, ["reference"])
    Participant.objects.filter(reference="person 1").update(reference="changed by what is asked for")
    Participant.objects.update_or_create(label=people[0].label, defaults={"reference": "other"})
    Participant.objects.get_or_create(label="P-NEW", defaults={"created_at": people[0].created_at})
    account = staff(Role.LEAD)
    account.set_password("a long enough password")
    account.save()
    Staff.objects.filter(pk=account.pk).update(sign_outs=F("sign_outs") + 1)
    Staff.objects.create_superuser("root", password="another long password")
    study = make.study()
    one, other = make.environment("ck01"), make.environment("rn01")
    study.pool.add(one, other)
    study.pool.remove(one)
    study.pool.set([one])
    one.studies.clear()
    one.studies.add(study)
    found = [one for one in findings.of_tables() if one.code != "trigger_missing"]
    assert found == []
    pool = RecordLink.objects.filter(table_name="play_study_pool")
    assert set(pool.values_list("kind", flat=True)) == {"written", "deleted"}


@pytest.mark.services
def test_a_sign_in_links_nothing_and_a_conditional_change_only_what_it_meant() -> None:
    account = staff(Role.LEAD)
    before = RecordLink.objects.count()
    Staff.objects.filter(pk=account.pk).update(last_login=account.date_joined)
    account.save(update_fields=["last_login"])
    assert Staff.objects.filter(pk=account.pk, is_active=False).update(role=Role.PROCTOR) == 0
    assert RecordLink.objects.count() == before


def test_every_model_of_the_record_links_by_all_its_managers() -> None:
    for model in linked_models():
        if model._meta.db_table in LIBRARIES:
            continue
        assert issubclass(model, Recorded), model
        for manager in model._meta.managers:
            assert isinstance(manager.all(), RecordedQuerySet), manager
        for field in model._meta.concrete_fields:
            if isinstance(field, models.ForeignKey):
                rule = field.remote_field.on_delete
                assert rule in (models.PROTECT, models.CASCADE), f"{field}: what it sets has no link"


def test_nothing_else_writes_past_the_links() -> None:
    """A table that is not of the record, or whose rows have no link, can be written by SQL."""
    unlinked = {model._meta.db_table for model in apps.get_models(include_auto_created=True)} - {
        model._meta.db_table for model in linked_models()
    }
    root = Path(settings.BASE_DIR) / "playtest"
    found = set()
    for file in root.rglob("*.py"):
        text = file.read_text()
        if "migrations" in file.parts or not PAST_DJANGO.search(text):
            continue
        tables = set(re.findall(r"(?:INSERT INTO|UPDATE|DELETE FROM) (\w+)", text))
        if not tables or tables - unlinked:
            found.add(str(file.relative_to(root)))
    assert found <= BY_HAND, "link what it writes (people.record.links.link_rows), and name it here"


def test_every_table_is_linked_or_named_in_the_documentation() -> None:
    text = (Path(settings.BASE_DIR) / "docs" / "journal.md").read_text()
    named = set(re.findall(r"`(\w+)`", text[text.index("## What has no link") :]))
    linked = {table for table, one in protected().items() if one.linked}
    models: list[Any] = list(apps.get_models(include_auto_created=True))
    missing = {model._meta.db_table for model in models if model._meta.db_table not in linked | named}
    assert missing == set()
    assert not named & linked
    through: Any = Study.pool.through
    assert through._meta.db_table in linked
    assert issubclass(Environment, Recorded)


def test_an_action_leaves_no_link() -> None:
    """Entries have a chain of their own, so that the way of an action costs nothing more."""
    study, added = make.study(people=9), []
    for actions in ([4], [4, 4, 4, 2]):
        session = make.session(study)
        before = RecordLink.objects.count()
        make.play(session, actions)
        added.append(RecordLink.objects.count() - before)
    assert added[0] == added[1]
