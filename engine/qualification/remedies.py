"""How to mend what a qualification finds, by the finding's code."""

from __future__ import annotations

_WINS = (
    "Make the level harder to win by accident: ask for more steps in the right order, more room to go wrong, "
    "or a loss for wrong ones; then search its state graph again."
)
_MENDS = {
    "import_failed": "Run the source in Python by itself, mend what it raises, and import it again.",
    "no_game_class": 'Name the class that derives from ARCBaseGame as "class_name" in metadata.json says.',
    "construction_failed": "Make the constructor work without arguments, or with a seed alone.",
    "metadata_invalid": "Complete metadata.json as the official layout asks.",
    "too_few_levels": "Add levels until there are at least six.",
    "prints": "Take out what prints: nobody sees it, and it costs time.",
    "no_actions": "Offer at least one action in every state in which the level goes on.",
    "level_not_startable": "Let set_level and on_set_level prepare a level from its own data alone.",
    "environment_raised": "Play the recording, find the line in the traceback, and treat the case it forgot.",
    "deadline_exceeded": "Find the loop that does not end, or the search that grows too large.",
    "slow_action": "Nothing need be done if it is rare; else compute what can be known before only once.",
    "action_too_slow": "Compute less in one action, and do not sleep: an animation is frames, not time.",
    "too_few_frames_a_second": (
        "Compute less for each frame: keep what does not change, and work on whole arrays, not on cells."
    ),
    "memory_exceeded": "Find what is kept for ever: a list that grows with each step, a copy of each frame.",
    "forbidden_operation": "Take out files, processes, threads and network: an environment only computes.",
    "process_ended": "Take out what ends the process: os._exit, a signal, or a native library that crashes.",
    "bad_frame": "Draw 64 by 64 cells of colours 0 to 15: check the camera's size and what is drawn over it.",
    "too_many_frames": "End the animation: call complete_action() once it is over.",
    "bad_state": (
        "Keep to NOT_FINISHED, WIN and GAME_OVER, to actions 1 to 7, "
        "and to one next_level() for each level that is completed."
    ),
    "level_revisited": "Never set an earlier level or a lower score while playing.",
    "inconsistent_state": (
        "Keep all state in the game and its level, set all of it in on_set_level, "
        "and derive it from nothing else: no clock, no object's address, no order of a set."
    ),
    "reset_leaves_traces": "Set all that a level changes again in on_set_level, unless it is meant to stay.",
    "nondeterministic": "Take out what changes from run to run: clock, object addresses, system randomness.",
    "nondeterministic_in_another_process": "Take out what differs between processes: number, files, clock.",
    "nondeterministic_with_another_hash_seed": "Sort sets before going through them; use no hash() of texts.",
    "level_won_by_chance": _WINS,
    "first_level_won_by_chance": "Nothing need be done: a tutorial may be won by luck.",
    "recording_diverges": "Record it again with this version, or find out what changed.",
    "recording_does_not_win": "Record a run to the end, in which all levels are completed.",
    "recording_does_not_lose": "Record a run that ends without completing all levels.",
    "no_recordings": (
        "Add recordings/win.jsonl and recordings/loss.jsonl to the environment's folder, and import it again."
    ),
}


def mend(code: str) -> str:
    """What to do about a finding; the sentence for anything unforeseen otherwise."""
    return _MENDS.get(code, "Play the recording and find out where it goes wrong.")
