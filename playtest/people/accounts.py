"""Changes of staff accounts; each is recorded with who made it, and cannot be taken back unnoticed.

An account is one person's and has one role: who has two roles has two accounts, so that every decision says
in which role it was taken. No account is ever deleted, since the record names it; it is disabled instead.
"""

from collections.abc import Iterator
from contextlib import contextmanager

from django.contrib.auth.tokens import default_token_generator
from django.db import IntegrityError, transaction
from django.db.models import F
from django.urls import reverse
from django.utils import timezone
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from playtest.people import second_factor
from playtest.people.models import AccountChange, Staff
from playtest.people.roles import Right, Role
from playtest.rules.errors import RuleError

Kind = AccountChange.Kind


def record(account: Staff, by: Staff | None, kind: AccountChange.Kind, detail: str = "") -> None:
    """Adds one line to the record of changes."""
    AccountChange.objects.create(
        account=account, staff=by, kind=kind, detail=detail, changed_at=timezone.now()
    )


def create(by: Staff, name: str, role: Role) -> Staff:
    """Makes an account without a password. RuleError name_taken, right_missing."""
    name = Staff.normalize_username(name)  # as the form to sign in does
    taken = RuleError("name_taken", "An account has this name. Every account has a name of its own.")
    try:
        with transaction.atomic():
            _check_right(Staff.objects.select_for_update(no_key=True).get(pk=by.pk))
            if Staff.objects.filter(username__iexact=name).exists():
                raise taken
            made = Staff(username=name, role=role)
            made.set_unusable_password()
            made.save()
            record(made, by, Kind.CREATED, role.label)
    except IntegrityError as error:
        raise taken from error
    return made


def give_role(by: Staff, pk: int, role: Role) -> None:
    """Gives an account another role, in place of the one it has. RuleError."""
    with _changing(by, pk) as account:
        if account.role == role:
            return
        before = account.get_role_display() or "no role"
        account.role = role
        account.save(update_fields=["role"])
        record(account, by, Kind.ROLE, f"{before} → {role.label}")


def disable(by: Staff, pk: int) -> None:
    """Disables an account and ends its sessions. RuleError."""
    with _changing(by, pk) as account:
        if account.is_active:
            account.is_active = False
            account.save(update_fields=["is_active"])
            _end_sessions(account)
            record(account, by, Kind.DISABLED)


def enable(by: Staff, pk: int) -> None:
    """Lets an account be used again, with its password. RuleError."""
    with _changing(by, pk) as account:
        if not account.is_active:
            account.is_active = True
            account.save(update_fields=["is_active"])
            record(account, by, Kind.ENABLED)


def reset_password(by: Staff, pk: int) -> None:
    """Takes an account's password, its sessions and its earlier links; `link_of` is the way in. RuleError."""
    with _changing(by, pk) as account:
        account.set_unusable_password()  # a random value: links that were made before no longer fit
        account.save(update_fields=["password"])
        record(account, by, Kind.LINK)


def link_of(account: Staff) -> str:
    """The address at which the owner of an account without a password sets one, once, within two days.

    Django's token: a digest of the stored password among others. RuleError password_set, disabled.
    """
    if account.has_usable_password():
        raise RuleError("password_set", "The password has been set. Make a new link if it is lost.")
    if not account.is_active:
        raise RuleError("account_disabled", "The account is disabled: enable it first.")
    name = urlsafe_base64_encode(force_bytes(account.pk))
    return reverse("people:set-password", args=[name, default_token_generator.make_token(account)])


def remove_second_factor(by: Staff, pk: int) -> None:
    """For a lost phone: the owner sets up another at the next sign-in. Ends the sessions. RuleError."""
    with _changing(by, pk) as account:
        if second_factor.remove(account):
            _end_sessions(account)
            record(account, by, Kind.FACTOR_REMOVED)


def sign_out_everywhere(by: Staff, pk: int) -> None:
    """Ends all sessions of another's account. RuleError."""
    with _changing(by, pk) as account:
        _end_sessions(account)
        record(account, by, Kind.SIGNED_OUT)


@transaction.atomic
def sign_out_own(staff: Staff) -> None:
    """Ends all sessions of one's own account."""
    _end_sessions(staff)
    record(staff, staff, Kind.SIGNED_OUT)


@transaction.atomic
def set_up_second_factor(staff: Staff, code: str) -> list[str] | None:
    """Puts one's app in force; sessions end. Returns the recovery codes, or None for a wrong code."""
    done = second_factor.confirm(staff, code)
    if done is None:
        return None
    _end_sessions(staff)
    record(staff, staff, Kind.FACTOR_SET)
    staff.otp_device, codes = done
    return codes


@transaction.atomic
def replace_second_factor(staff: Staff) -> None:
    """Removes one's own app and recovery codes; sessions end."""
    if second_factor.remove(staff):
        _end_sessions(staff)
        record(staff, staff, Kind.FACTOR_REMOVED)


def _end_sessions(account: Staff) -> None:
    Staff.objects.filter(pk=account.pk).update(sign_outs=F("sign_outs") + 1)
    account.refresh_from_db(fields=["sign_outs"])


@contextmanager
def _changing(by: Staff, pk: int) -> Iterator[Staff]:
    """Another's account, locked, while who changes it still may: two leads cannot disable each other."""
    with transaction.atomic():
        both = Staff.objects.select_for_update(no_key=True).filter(pk__in=[by.pk, pk]).order_by("pk")
        locked = {one.pk: one for one in both}
        if pk == by.pk:
            raise RuleError("own_account", "Nobody changes their own account here: ask another lead.")
        _check_right(locked[by.pk])
        yield locked[pk]


def _check_right(staff: Staff) -> None:
    if not staff.may(Right.MANAGE_ACCOUNTS):
        raise RuleError("right_missing", "Your account may no longer change accounts.")
