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
        tries=False,
        play=not_trying.repeats_pattern,
        patience=(0.2, 1.0),
    ),
    SimulatedKind(
        "two_keys", "two keys for minutes", tries=False, play=not_trying.two_keys, patience=(0.2, 1.0)
    ),
    SimulatedKind(
        "after_three_minutes", "leaves after three minutes", tries=False, play=not_trying.after_three_minutes
    ),
    SimulatedKind("was_told", "was told the actions", tries=False, play=not_trying.was_told),
    SimulatedKind("any_keys_in_bursts", "any keys in bursts", tries=False, play=not_trying.bursts),
    SimulatedKind(
        "sits_out", "sits the time out", tries=False, play=not_trying.sits_out, patience=(0.6, 1.0)
    ),
    SimulatedKind("rushes_home", "rushes home", tries=False, play=not_trying.rushes_home),
    SimulatedKind("switches_off", "switches off early", tries=False, play=not_trying.switches_off),
    SimulatedKind(
        "careful", "slow, careful", tries=True, play=trying.careful, skill=(0.3, 0.9), patience=(0.4, 1.0)
    ),
    SimulatedKind(
        "plays_often",
        "expert, quick hands",
        tries=True,
        play=trying.expert,
        skill=(0.8, 1.0),
        patience=(0.4, 1.0),
    ),
    SimulatedKind(
        "beginner_resets", "beginner, many resets", tries=True, play=trying.beginner, skill=(0.1, 0.45)
    ),
    SimulatedKind("interrupted", "interrupted", tries=True, play=trying.interrupted),
    SimulatedKind("tests_in_order", "tests in order", tries=True, play=trying.systematic),
    SimulatedKind(
        "stuck_for_long",
        "stuck, keeps trying",
        tries=True,
        play=trying.stuck,
        skill=(0.3, 0.8),
        patience=(0.5, 1.0),
    ),
    SimulatedKind(
        "disheartened",
        "gives up where it resists",
        tries=True,
        play=trying.disheartened,
        skill=(0.2, 0.7),
        patience=(0.2, 0.7),
    ),
    SimulatedKind(
        "slow_hands",
        "older, with slow hands",
        tries=True,
        play=trying.older,
        skill=(0.15, 0.65),
        patience=(0.4, 1.0),
    ),
    SimulatedKind("headlong", "headlong", tries=True, play=trying.headlong),
)
