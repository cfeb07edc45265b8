"""What a person is told before they agree: how long a session takes and what it pays (report 5.1).

The report blames a misread incentive for low effort, so the sentences say what earns the bonus and what
does not.
"""

from decimal import Decimal

from playtest.rules.protocol import Protocol

_SYMBOLS = {"USD": "$", "GBP": "£", "EUR": "€"}


def amount_text(amount: Decimal, currency: str) -> str:
    """An amount such as $5.00 or CHF 12.00; `currency` is a code of three capitals."""
    return f"{_SYMBOLS.get(currency, f'{currency} ')}{amount:,.2f}"


def incentive(protocol: Protocol, currency: str) -> list[str]:
    """The sentences about time and pay that hold for a session with this protocol."""
    minutes, pay = f"{protocol.limits.session_seconds / 60:g}", protocol.pay
    fee, bonus = amount_text(pay.fee, currency), amount_text(pay.bonus, currency)
    sentences = [f"You play small computer games, here called environments, for up to {minutes} minutes."]
    if pay.fee:
        sentences.append(f"You are paid {fee} for taking part, however many environments you solve.")
    if pay.bonus:
        sentences += [
            f"Each environment that you solve completely, with all its levels, earns {bonus} more.",
            "Trying many environments without solving them earns nothing more. Take your time with each.",
        ]
    return [*sentences, "You may leave an environment, or stop altogether, at any time."]
