"""The unseen half of the simulated people, written by somebody who had not read the effort rules.

Nothing here was chosen with a rule, a threshold or the other half of the kinds in view; it should stay that
way: who changes it must not know them either. `KINDS` are `tools.effort_flags.kinds.SimulatedKind`: their
`play(person, scene, solutions, chance, visit)` plays one environment. Randomness comes from `chance` and
`person.chance` alone, so equal seeds give equal sessions. `hands` has what bodies do (pauses, rhythm,
slips, fatigue), `tries` how people learn, for whom a level's recorded solution is what they gradually
understand. `dishonest` are people who repeat a pattern or two opposite actions, stop at about three minutes
or send in all but one environment, were told the solutions, mash, click the background, or sit the time
out. `honest` are slow, expert, beginning, often interrupted, systematic, giving up after work, older,
stuck, and pacing where a level needs patience.
"""

from tools.effort_flags.kinds import SimulatedKind
from tools.effort_flags.unseen import dishonest, honest

KINDS = (
    SimulatedKind(
        "fixed_pattern",
        "fixed pattern, repeated",
        "Repeats three to nine actions for minutes.",
        False,
        dishonest.fixed_pattern,
    ),
    SimulatedKind(
        "to_and_fro",
        "to and fro",
        "Makes two opposite actions in turn for minutes.",
        False,
        dishonest.to_and_fro,
    ),
    SimulatedKind(
        "three_minutes",
        "three minutes each",
        "Gives up all environments but one or two after about three minutes of little.",
        False,
        dishonest.three_minutes,
    ),
    SimulatedKind(
        "told",
        "told the solutions",
        "Plays nearly every level as somebody told it, or as remembered.",
        False,
        dishonest.told,
    ),
    SimulatedKind("bursts", "bursts of any keys", "Mashes keys, with rests.", False, dishonest.masher),
    SimulatedKind(
        "background",
        "clicks one place or none",
        "Clicks one place or wanders over the background; without clicks, presses a button on the page.",
        False,
        dishonest.background_clicker,
    ),
    SimulatedKind("sitter", "sits the time out", "Presses a key now and then.", False, dishonest.sitter),
    SimulatedKind(
        "one_for_show",
        "one for show",
        "Plays one environment honestly and sends in the rest.",
        False,
        dishonest.one_for_show,
    ),
    SimulatedKind(
        "slow_careful", "slow and careful", "Thinks before most actions.", True, honest.slow_careful
    ),
    SimulatedKind(
        "quick_expert",
        "quick expert",
        "Understands after few tries, but examines the first levels.",
        True,
        honest.quick_expert,
    ),
    SimulatedKind(
        "beginner", "beginner with resets", "Starts levels anew again and again.", True, honest.beginner
    ),
    SimulatedKind("long_pauses", "long pauses", "Reads, thinks, and goes out.", True, honest.long_pauses),
    SimulatedKind(
        "systematic",
        "systematic tester",
        "Tries each action, then each thing, in turn.",
        True,
        honest.systematic,
    ),
    SimulatedKind(
        "tried_hard", "gives up after work", "Gives up where many tries have failed.", True, honest.tried_hard
    ),
    SimulatedKind("older", "older, slow hands", "Reacts slowly and presses twice.", True, honest.older),
    SimulatedKind(
        "gets_stuck",
        "stuck for long",
        "Solves early levels quickly and sticks at one.",
        True,
        honest.gets_stuck,
    ),
    SimulatedKind(
        "good_timing", "paces to and fro", "Paces where a level takes patience.", True, honest.good_timing
    ),
)
