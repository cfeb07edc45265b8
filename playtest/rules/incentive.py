"""What a person is told before they agree: how long a session takes and what it pays (report 5.1).

The report blames a misread incentive for low effort, so the sentences say what earns the bonus and what
does not.
"""

from playtest.rules.pay import amount_text
from playtest.rules.protocol import Protocol


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
