"""What to do about the findings of a qualification, by their codes."""

from __future__ import annotations

_WINS = (
    "Make the level harder to win by accident: ask for more steps in the right order, more room to go wrong, "
    "or a loss for wrong ones; then explore its state graph again."
)
_REMEDIES = {
    "import_failed": "Run the source in Python by itself, fix what it raises, and import it again.",
    "no_game_class": 'Name the class that derives from ARCBaseGame like "class_name" in metadata.json.',
    "construction_failed": "Make the constructor work without arguments, or with a seed alone.",
    "metadata_invalid": "Complete metadata.json as the official layout asks.",
    "too_few_levels": "Add levels until there are at least six.",
    "prints": "Remove the print calls: nobody sees their output, and they take time.",
    "no_actions": "Offer at least one action in every state in which the level is not over.",
    "level_not_startable": "Let set_level and on_set_level prepare a level from its own data alone.",
    "environment_raised": "Play the recording, find the line in the traceback, and handle the missing case.",
    "deadline_exceeded": "Find the loop that does not end, or the computation that grows too large.",
    "slow_action": "If it is frequent, compute once what does not change; if it is rare, nothing is needed.",
    "action_too_slow": "Compute less in one action, and do not sleep: an animation is frames, not time.",
    "too_few_frames_a_second": (
        "Compute less for each frame: cache what does not change, and use whole arrays instead of cells."
    ),
    "memory_exceeded": "Find what is never released: a list that grows with each step, a copy of each frame.",
    "forbidden_operation": "Remove files, processes, threads and network: an environment only computes.",
    "code_replaced": "Change only the game's own classes, and nothing that the engine or arcengine defines.",
    "process_ended": "Remove what ends the process: os._exit, a signal, or a native library that crashes.",
    "bad_frame": "Draw 64 by 64 cells of colours 0 to 15: check the camera's size and what is drawn over it.",
    "too_many_frames": "End the animation: call complete_action() once it is over.",
    "bad_state": (
        "Use only the states NOT_FINISHED, WIN and GAME_OVER and the actions 1 to 7, "
        "and call next_level() once for each completed level."
    ),
    "level_revisited": "Never set an earlier level or a lower score while playing.",
    "inconsistent_state": (
        "Keep all state in the game and its level, and set all of it in on_set_level. "
        "Do not use the clock, the address of an object or the order of a set."
    ),
    "reset_leaves_traces": "Set everything that a level changes in on_set_level, unless it is meant to stay.",
    "nondeterministic": "Remove what changes from run to run: clock, object addresses, system randomness.",
    "nondeterministic_in_another_process": "Remove what differs between processes: process id, files, clock.",
    "nondeterministic_with_another_hash_seed": "Sort sets before iterating over them; do not hash strings.",
    "level_won_by_chance": _WINS,
    "first_level_won_by_chance": "Nothing is needed: a tutorial may be won by chance.",
    "recording_diverges": "Record it again with this version, or find out what has changed.",
    "recording_does_not_win": "Record a run that completes all levels.",
    "recording_does_not_lose": "Record a run that ends without completing all levels.",
    "no_recordings": (
        "Add recordings/win.jsonl and recordings/loss.jsonl to the environment's folder, and import it again."
    ),
}


def remedy(code: str) -> str:
    """What to do about a finding; a general sentence for a code without a remedy of its own."""
    return _REMEDIES.get(code, "Play the recording and find the action after which it goes wrong.")
