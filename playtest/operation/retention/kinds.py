"""The kinds of data: what each is, from when its period counts, and how it is erased.

No timer erases what decides figures and money: the journal, decisions, the ledger. Of people it erases who
they are and how they are reached; what they played stays under their pseudonym, until they withdraw.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.contrib.sessions.models import Session as SignIn
from django.db.models import DateTimeField, F, Max, Q, QuerySet
from django.db.models.functions import Coalesce, Greatest

from playtest.center.models import Adjustment, Message, Payee
from playtest.center.pay.accounts import owed_to
from playtest.jobs.models import UNFINISHED
from playtest.people.models import Contact, Participant
from playtest.people.retention import BACKUPS, EXPORTS, SIGN_IN_TRIES, SIGN_INS
from playtest.play.models import Session
from playtest.review.models import RUN_KINDS, Comment, Export
from playtest.review.services.export_files import discard

type Rows = QuerySet[Any]


def _delete(rows: Rows) -> int:
    return rows.delete()[1].get(rows.model._meta.label, 0)


@dataclass(frozen=True)
class Kind:
    """`rows` are all that could ever be erased, each with `aged_from`, from when the period counts (`since`).

    `erase` erases some of them, within a transaction, and says how many. Without `rows` another program
    erases them, and `least` is the shortest period in days. `name` is what a row is called in a list.
    """

    name: str
    title: str
    what: str
    since: str
    rows: Callable[[], Sequence[Rows]] | None = None
    erase: Callable[[Rows], int] = _delete
    called: Callable[[Any], str] = str
    least: int = 1


def _aged(rows: Rows, since: Any) -> list[Rows]:
    return [rows.annotate(aged_from=since)]


def _tries() -> list[Rows]:
    models = (AccessAttempt, AccessFailureLog, AccessLog)
    return [model.objects.annotate(aged_from=F("attempt_time")) for model in models]


def _last_seen(person: str) -> Greatest:
    """When a person was here or was expected last; `person` is the way to them, with `__`, or empty."""
    made = F(f"{person}created_at")
    sessions = Max(Coalesce(f"{person}sessions__ended_at", f"{person}sessions__created_at"))
    slots = Max(f"{person}bookings__slot__ends_at")
    return Greatest(made, Coalesce(sessions, made), Coalesce(slots, made), output_field=DateTimeField())


def still_needed() -> set[int]:
    """Whose identity is needed still: who is in a session, or to whom money is owed or may be."""
    present = Session.objects.filter(checked_in_at__isnull=False, ended_at__isnull=True)
    asked = Adjustment.objects.filter(decision=None).values_list("account__participant", flat=True)
    return {*owed_to(), *asked, *present.values_list("participant", flat=True)}


def _references() -> list[Rows]:
    people = Participant.objects.exclude(reference="").exclude(pk__in=still_needed())
    return _aged(people, _last_seen(""))


def _contacts() -> list[Rows]:
    contacts = Contact.objects.exclude(participant__in=still_needed()).select_related("participant")
    return _aged(contacts, Greatest(_last_seen("participant__"), F("stored_at")))


def _erase_contacts(rows: Rows) -> int:
    """Also what a mail server answered, which repeats the address."""
    answers = Message.objects.filter(
        booking__participant__in=list(rows.values_list("participant", flat=True))
    )
    answers.exclude(error="").update(error="mail_not_sent: the answer of the mail server was erased.")
    return _delete(rows)


def _payees() -> list[Rows]:
    payees = Payee.objects.exclude(participant__in=still_needed()).select_related("participant")
    return _aged(payees, F("stored_at"))


def _messages() -> list[Rows]:
    sent = Message.objects.exclude(status__in=UNFINISHED).select_related("booking__participant")
    return _aged(sent, F("booking__slot__ends_at"))


def _exports() -> list[Rows]:
    """Without those of which only the record is left (`export_files.discard`)."""
    named = Q(options__identified=False) | ~Q(options__has_key="identified")
    gone = Export.objects.filter(file="").exclude(named & ~Q(kind__in=RUN_KINDS))
    finished = Export.objects.exclude(status__in=UNFINISHED).exclude(pk__in=gone.values("pk"))
    return _aged(finished, F("requested_at"))


def _erase_exports(rows: Rows) -> int:
    found = list(rows)
    for export in found:
        discard(export)
    return len(found)


# fmt: off
KINDS = (
    Kind("references", "Recruiters' references", "Who comes again is not recognised without it, and would"
         " meet the same environments. Kept while money is owed.", "the last session or appointment",
         _references, lambda rows: rows.update(reference="")),
    Kind("contacts", "E-mail addresses of participants", "With what mail servers answered. Kept while money"
         " is owed.", "the last session or appointment", _contacts, _erase_contacts,
         lambda row: row.participant.label),
    Kind("payees", "Payees who have withdrawn", "Erased at once when a payment is noted as sent; with a"
         " period also if nobody notes it. Kept while money is owed.", "the withdrawal", _payees,
         called=lambda row: row.participant.label),
    Kind("messages", "Messages about appointments", "That one was sent, and the hash of its personal link.",
         "the end of the appointment", _messages,
         called=lambda row: f"{row.get_kind_display()} to {row.booking.participant.label}"),
    Kind("comments", "Comments on replays", "What staff wrote at moments of attempts.", "the last change",
         lambda: _aged(Comment.objects.all(), Coalesce("changed_at", "created_at")),
         called=lambda row: f"on attempt {row.attempt_id}"),
    Kind(EXPORTS, "Files of exports", "Films, data of studies and people, runs. Who took data stays known.",
         "the request", _exports, _erase_exports, lambda row: f"{row.get_kind_display()}, export {row.pk}"),
    Kind(SIGN_IN_TRIES, "Tries to sign in", "The names that were entered, and the addresses they came from.",
         "the try", _tries, called=lambda row: f"{row.username} from {row.ip_address}"),
    Kind(SIGN_INS, "Sign-ins of staff", "Sessions of browsers, which open nothing any more.",
         "the end of the sign-in", lambda: _aged(SignIn.objects.all(), F("expire_date")),
         called=lambda row: "an expired sign-in", least=0),
    Kind(BACKUPS, "Backups", "Deleted by the nightly backup, which alone can write there. The newest stays.",
         "the backup"),
)
NEVER_ERASED = (
    ("Sessions and play", "Answers, events, notes, journal: they decide figures. A withdrawal deletes them."),
    ("Decisions", "Flags, exclusions and voids decide who counts. A withdrawal deletes them."),
    ("Pay", "Accounts, lines and receipts are the books, by pseudonym. No bank details are stored."),
    ("Withdrawals", "That somebody withdrew, without their data; also in the list that outlives a restore."),
    ("Runs of agents", "Actions, reasoning and what is stored with scorecards are of no person."),
    ("Accounts of staff", "The record names who decided. An account is disabled, never deleted."),
    ("Rosters and uploads", "A roster is read and not stored. Uploaded files go when their import ended,"
     " recordings that were dropped to be watched after 7 days."),
    ("Logs", "They are the system's and the proxy's, which have their own periods (docs/operation.md)."),
)
# fmt: on
"""What no timer erases, and why."""
