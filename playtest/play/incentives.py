"""What participants are told about time and pay, from the protocol that holds for them."""

from django.conf import settings

from playtest.play.models import Session, Study
from playtest.rules.incentive import incentive
from playtest.rules.pay import amount_text

UNKNOWN = ["How long it takes and what it pays is on the next pages, before you agree to anything."]


def currency() -> str:
    """The center's currency, a code of three capitals."""
    return str(settings.CENTER_CURRENCY)


def incentive_of(session: Session) -> list[str]:
    """The sentences for this session."""
    return incentive(session.prescribed, currency())


def incentive_before_the_code() -> list[str]:
    """The sentences that all open studies agree on; before the code, nobody knows which one it will be."""
    studies = Study.objects.filter(open=True, rehearsal=False)
    told = {tuple(incentive(study.protocol, currency())) for study in studies}
    return list(told.pop()) if len(told) == 1 else UNKNOWN


def bonus_text(session: Session) -> str:
    """The bonus for an environment solved, in the center's currency; "" if there is none."""
    bonus = session.prescribed.pay.bonus
    return amount_text(bonus, currency()) if bonus else ""
