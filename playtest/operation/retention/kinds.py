"""The kinds of data: what each is, from when its period counts, and how it is erased.

No timer erases what decides figures and money: the journal, decisions, the ledger. Of people it erases who
they are and how they are reached; what they played stays under their pseudonym, until they withdraw.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.contrib.sessions.models import Session as SignIn
from django.db.models import DateTimeField, F, Max, Q, QuerySet, Sum
from django.db.models.functions import Coalesce, Greatest

from playtest.arena.models import Scorecard
from playtest.center.models import Adjustment, Message, PayAccount
from playtest.center.pay.accounts import payable
from playtest.center.pay.money import cents
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
    sums = PayAccount.objects.filter(payable()).values_list("participant").annotate(Sum("lines__amount"))
    asked = Adjustment.objects.filter(decision=None).values_list("account__participant", flat=True)
    owed = {person for person, total in sums.order_by() if cents(total)}
    return owed | set(asked) | set(present.values_list("participant", flat=True))


def _references() -> list[Rows]:
    people = Participant.objects.exclude(reference="").exclude(pk__in=still_needed())
    return _aged(people, _last_seen(""))


def _erase_references(rows: Rows) -> int:
    return rows.update(reference="")


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


def _messages() -> list[Rows]:
    sent = Message.objects.exclude(status__in=UNFINISHED).select_related("booking__participant")
    return _aged(sent, F("booking__slot__ends_at"))


def _comments() -> list[Rows]:
    return _aged(Comment.objects.all(), Coalesce("changed_at", "created_at"))


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


def _stored_by_agents() -> list[Rows]:
    cards = Scorecard.objects.filter(closed_at__isnull=False, opaque__isnull=False)
    return _aged(cards, F("closed_at"))


def _erase_stored_by_agents(rows: Rows) -> int:
    return rows.update(opaque=None)


KINDS = (
    Kind(
        "references",
        "Recruiters' references",
        "By which a recruiter's list says who a pseudonym is. Who comes again is not recognised without it,"
        " and would meet the same environments. Kept while money is owed to the person.",
        "the person's last session or appointment",
        _references,
        _erase_references,
    ),
    Kind(
        "contacts",
        "E-mail addresses of participants",
        "With what mail servers answered. Kept while money is owed to the person.",
        "the person's last session or appointment",
        _contacts,
        _erase_contacts,
        lambda contact: contact.participant.label,
    ),
    Kind(
        "messages",
        "Messages about appointments",
        "That an invitation was sent, and the hash of its personal link, which works no more.",
        "the end of the appointment",
        _messages,
        called=lambda message: f"{message.get_kind_display()} to {message.booking.participant.label}",
    ),
    Kind(
        "comments",
        "Comments on replays",
        "What staff wrote at moments of people's and agents' attempts.",
        "the comment, or its last change",
        _comments,
        called=lambda comment: f"on attempt {comment.attempt_id}",
    ),
    Kind(
        EXPORTS,
        "Files of exports",
        "Films, study data, data of one person, runs. That identified data or runs were taken stays known.",
        "the request",
        _exports,
        _erase_exports,
        lambda export: f"{export.get_kind_display()}, export {export.pk}",
    ),
    Kind(
        SIGN_IN_TRIES,
        "Tries to sign in",
        "The names and addresses that were entered or came with it, right or wrong.",
        "the try",
        _tries,
        called=lambda row: f"{row.username} from {row.ip_address}",
    ),
    Kind(
        SIGN_INS,
        "Sign-ins of staff",
        "Sessions of browsers. One that has expired opens nothing.",
        "the end of the sign-in",
        lambda: _aged(SignIn.objects.all(), F("expire_date")),
        called=lambda row: "an expired sign-in",
        least=0,
    ),
    Kind(
        "agent_data",
        "What agents stored with scorecards",
        "Up to 16 KiB of their own for each card. Scores do not need it.",
        "the end of the scorecard",
        _stored_by_agents,
        _erase_stored_by_agents,
        lambda card: f"card {card.card_id}",
    ),
    Kind(
        BACKUPS,
        "Backups",
        "Erased by the nightly backup, which alone can write there. The newest stays.",
        "the backup",
    ),
)
KEPT: Iterable[tuple[str, str]] = (
    (
        "Sessions and play",
        "Consent, answers, events, notes of staff, debriefs and the journal are under a pseudonym and decide"
        " figures. They go when the person withdraws.",
    ),
    (
        "Decisions",
        "Flags, exclusions, voids and their reasons decide who counts. They go when the person withdraws.",
    ),
    (
        "Pay",
        "Accounts, lines, batches and receipts are the books, under a pseudonym. No bank details are stored.",
    ),
    (
        "Withdrawals",
        "That somebody withdrew, without any of their data; also in the list that outlives a restore.",
    ),
    ("Runs of agents", "Actions and reasoning are part of the journal and of no person."),
    ("Accounts of staff", "The record names who decided. An account is disabled, never deleted."),
    (
        "Uploads",
        "The text of a roster is read and not stored. Uploaded files go when their import has ended.",
    ),
    (
        "Logs",
        "The product keeps none of its own: its lines go to the system's log, which has its own period."
        " The proxy logs no addresses of pages.",
    ),
)
"""What no timer erases, and why."""


def kind_of(name: str) -> Kind | None:
    return next((one for one in KINDS if one.name == name), None)
