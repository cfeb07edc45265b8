"""What the search finds of this room, the pages that the reader may open, and its tables of the record."""

from collections.abc import Iterator

from django.urls import reverse

from playtest.people.append_only import WITHDRAWAL, Protected, differs, same
from playtest.people.manifests import Manifest
from playtest.people.models import Staff
from playtest.people.navigation import pages_for, place_of
from playtest.people.search import Found, Kind, Query, match_of

_OF_EVERYBODY = (
    ("Home", "people:home"),
    ("Handbook", "people:handbook"),
    ("Your account", "people:own-account"),
    ("Roles", "people:roles"),
    ("Help", "people:help"),
)


def pages(query: Query, staff: Staff) -> Iterator[Found]:
    """Entries of the navigation, and the pages that are for everybody."""
    entries = [(page.title, page.address, place_of(page).title) for page in pages_for(staff)]
    for title, address, place in [*entries, *((title, reverse(name), "") for title, name in _OF_EVERYBODY)]:
        text = f"{place} {title}".lower()
        if all(word in text for word in query.terms):
            yield Found(title, address, place, match_of(title, query))


def _either_of(link: str) -> str:
    """Of the two participants of a link, the one who is withdrawing, as SQL."""
    return (
        f"SELECT MAX(participant_id) FROM {WITHDRAWAL} WHERE finished_at IS NULL AND participant_id IN"
        f" (SELECT one_id FROM people_sameperson WHERE id = {link}"
        f" UNION SELECT other_id FROM people_sameperson WHERE id = {link})"
    )


_LINK = ("id", "table_name", "row_id", "kind", "form", "digest", "note", "at", "mark")
_PROTECTED = (
    Protected("people_accountchange"),
    Protected(
        "people_staff",
        unique=(same("username"),),
        changed=differs("id", "username", "date_joined"),
        columns=(
            *("username", "password", "role", "is_active", "is_staff", "is_superuser", "sign_outs"),
            "date_joined",
        ),
    ),
    Protected(
        "otp_totp_totpdevice",
        changed=differs("id", "user_id", "key"),
        deletable=True,
        columns=("user_id", "key", "confirmed"),
    ),
    Protected(
        "otp_static_staticdevice",
        changed=differs("id", "user_id"),
        deletable=True,
        columns=("user_id", "confirmed"),
    ),
    Protected("otp_static_statictoken", deletable=True),
    Protected(
        "people_recordlink",
        unique=(same("table_name", "place"),),
        changed=f"OLD.place IS NOT NULL OR ({differs(*_LINK)})",
        linked=False,
    ),
    Protected("people_recordform", unique=(same("name"),), linked=False),
    Protected(
        "people_participant",
        unique=(same("label"), f"NEW.reference <> '' AND {same('reference')}"),
        changed=differs("id", "label", "simulated"),
    ),
    Protected("people_consent", "OLD.participant_id"),
    Protected("people_survey", "OLD.participant_id"),
    Protected("people_sameperson", _either_of("OLD.id")),
    Protected("people_samepersonreversal", _either_of("OLD.link_id"), (same("link_id"),)),
    Protected(
        WITHDRAWAL,
        None,
        (same("participant_id"),),
        f"OLD.finished_at IS NOT NULL OR {differs('id', 'participant_id', 'staff_id', 'started_at')}",
        "a withdrawal stays on record",
    ),
    Protected("people_retentionrule"),
    Protected("people_erasure"),
    Protected("people_personexport"),
)


def _title(pk: int) -> str:
    return str(Staff.objects.filter(pk=pk).first() or "")


MANIFEST = Manifest(
    titles={"people:account": _title}, kinds=(Kind("page", "Pages", None, pages),), protected=_PROTECTED
)
