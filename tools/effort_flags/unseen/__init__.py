"""The unseen half of the simulated people, written by somebody who had not read the effort rules.

Nothing here was chosen with a rule, a threshold or the other half of the kinds in view; it should stay that
way: who changes it must not know them either. `KINDS` are `tools.effort_flags.kinds.SimulatedKind`: their
`play(person, scene, solutions, chance, visit)` plays one environment. Randomness comes from `chance` and
`person.chance` alone, so equal seeds give equal sessions. `body` has what hands do, `player` how
people understand a level, `trying` those who try, `not_trying` those who do not.
"""

from tools.effort_flags.kinds import SimulatedKind
from tools.effort_flags.unseen import not_trying, trying

KINDS = (
    SimulatedKind(
        "repeats_pattern",
        "repeats a pattern",
        "Repeats two to eight actions, loses count, and changes the pattern when bored.",
        False,
        not_trying.repeats_pattern,
        patience=(0.2, 1.0),
    ),
    SimulatedKind(
        "two_keys",
        "two keys for minutes",
        "Goes left and right, or up and down, in turn or in runs; without keys clicks two places.",
        False,
        not_trying.two_keys,
        patience=(0.2, 1.0),
    ),
    SimulatedKind(
        "after_three_minutes",
        "leaves after three minutes",
        "Gives up all environments but one or two after about three minutes of walking about and waiting.",
        False,
        not_trying.after_three_minutes,
    ),
    SimulatedKind(
        "was_told",
        "was told the actions",
        "Enters a known list in groups, with slips, gaps of memory, and a show of looking.",
        False,
        not_trying.was_told,
    ),
    SimulatedKind(
        "any_keys_in_bursts",
        "any keys in bursts",
        "Presses any keys for seconds, then does nothing.",
        False,
        not_trying.bursts,
    ),
    SimulatedKind(
        "sits_out",
        "sits the time out",
        "Waits, with a few keys now and then.",
        False,
        not_trying.sits_out,
        patience=(0.6, 1.0),
    ),
    SimulatedKind(
        "rushes_home",
        "rushes home",
        "Touches each environment for half a minute to two and gives it up.",
        False,
        not_trying.rushes_home,
    ),
    SimulatedKind(
        "switches_off",
        "switches off early",
        "Plays one or two environments, then passes the time in all others.",
        False,
        not_trying.switches_off,
    ),
    SimulatedKind(
        "careful",
        "slow, careful",
        "Thinks before most actions.",
        True,
        trying.careful,
        (0.3, 0.9),
        (0.4, 1.0),
    ),
    SimulatedKind(
        "plays_often",
        "expert, quick hands",
        "Understands quickly and finishes.",
        True,
        trying.expert,
        (0.8, 1.0),
        (0.4, 1.0),
    ),
    SimulatedKind(
        "beginner_resets",
        "beginner, many resets",
        "Wanders and starts anew whenever something looks wrong.",
        True,
        trying.beginner,
        (0.1, 0.45),
    ),
    SimulatedKind(
        "interrupted", "interrupted", "Stops for minutes, in the room or out of it.", True, trying.interrupted
    ),
    SimulatedKind(
        "tests_in_order", "tests in order", "Tests each action, then each thing.", True, trying.systematic
    ),
    SimulatedKind(
        "stuck_for_long",
        "stuck, keeps trying",
        "Varies the same attempt for up to half an hour.",
        True,
        trying.stuck,
        (0.3, 0.8),
        (0.5, 1.0),
    ),
    SimulatedKind(
        "disheartened",
        "gives up where it resists",
        "Works for minutes, and gives up at the first hard level.",
        True,
        trying.disheartened,
        (0.2, 0.7),
        (0.2, 0.7),
    ),
    SimulatedKind(
        "slow_hands",
        "older, with slow hands",
        "Presses slowly, beside things, and twice.",
        True,
        trying.older,
        (0.15, 0.65),
        (0.4, 1.0),
    ),
    SimulatedKind("headlong", "headlong", "Acts first and thinks afterwards.", True, trying.headlong),
)
