"""Computes the effort flags of a package again: a part of `recompute.py`, which runs it.

The rules are those of docs/effort.md. What other people did on an environment (`norms.json`) is taken from
the package: it comes from all studies of an installation. P-values of random play are Monte Carlo estimates;
they are computed again with other random numbers and compared within four standard errors, and the flags
follow from the published ones.
"""

import json
import math
import random
from collections import Counter, defaultdict
from dataclasses import dataclass
from itertools import groupby, pairwise
from pathlib import Path
from typing import Any

import polars as pl

type Flag = tuple[int, int | None, str, str]
"""Session, attempt (None: the whole session), rule, strength."""

NOTE, REVIEW, STRONG = "note", "review", "strong"
CUT_SHORT = ("session_over", "ended_by_staff")
CLICK, BLOCKS, PLAYS = 6, 16, 499


@dataclass(frozen=True)
class Act:
    """One action; `at` in seconds on the attempt's clock, `pressed` on the station's, `offered` as bits."""

    seq: int
    action: int
    cell: tuple[int, int] | None
    level: int
    changed: bool
    at: float
    pressed: float | None
    held: bool
    offered: int


@dataclass(frozen=True)
class Played:
    """One ended attempt on its clock, which stands still in pauses."""

    attempt: int
    outcome: str
    levels: int
    seconds: float
    away: float
    acts: list[Act]
    absences: list[tuple[float | None, float | None]]
    norms: dict[str, Any] | None

    def gaps(self) -> list[float]:
        """The seconds with a connection before each action and before the end."""
        starts = [0.0, *(act.at for act in self.acts)]
        ends = [*(act.at for act in self.acts), max(self.seconds, starts[-1])]
        return [end - begin - self.cut_off(begin, end) for begin, end in zip(starts, ends, strict=True)]

    def cut_off(self, begin: float, end: float) -> float:
        """The seconds without a connection between two actions."""
        parts = []
        for since, until in self.absences:
            first, last = begin if since is None else since, end if until is None else until
            here = begin < last <= end if since is None else begin <= first < end
            parts.append((first, min(end, last)) if here else (begin, begin))
        total, reached = 0.0, begin
        for first, last in sorted(parts):
            total += max(0.0, last - max(first, reached))
            reached = max(reached, last)
        return total

    def last_level(self) -> list[Act]:
        return [act for act in self.acts if act.level > self.levels]

    def active(self, gap: float) -> float:
        return sum(min(one, gap) for one in self.gaps()[:-1])

    def active_on_last_level(self, gap: float) -> float:
        return sum(min(one, gap) for one in self.gaps()[len(self.acts) - len(self.last_level()) :])


def flags(
    folder: Path, tables: dict[str, pl.DataFrame], published: dict[str, Any]
) -> tuple[set[Flag], list[str]]:
    """Every flag of every session, and the p-values that are too far from the published ones."""
    norms = json.loads((folder / "norms.json").read_text())
    thresholds = {
        version["version"]: version["protocol"]["effort"]["thresholds"]
        for version in (json.loads(file.read_text()) for file in (folder / "protocols").glob("*.json"))
    }
    rules = dict(tables["sessions"].select("session", "protocol_version").iter_rows())
    entries = tables["entries"].sort("attempt", "seq").partition_by("attempt", as_dict=True)
    events = tables["events"].sort("event").partition_by("session", as_dict=True)
    ended = (
        tables["attempts"]
        .filter(
            pl.col("ended_at").is_not_null(),
            pl.col("first_frame_at").is_not_null(),
            pl.col("outcome") != "fault",
        )
        .filter(pl.col("kind") == "interactive")
    )  # those of static tasks are in `recompute_tasks.py`
    found, far = set[Flag](), list[str]()
    for (session,), rows in (
        ended.sort("number").partition_by("session", as_dict=True, maintain_order=True).items()
    ):
        limits = thresholds[rules[session]]
        of_session = events[session,].to_dicts() if (session,) in events else []
        played = [
            _played(row, entries[row["attempt"],].to_dicts(), of_session, norms.get(str(row["attempt"])))
            for row in rows.to_dicts()
        ]
        values = {one.attempt: published["random"].get(str(one.attempt)) for one in played}
        far += [line for one in played for line in _p_values_far(one, values[one.attempt])]
        found |= {(session, *flag) for flag in _of_session(played, limits, values)}
    return found, far


def _of_session(
    played: list[Played], t: dict[str, Any], values: dict[int, Any]
) -> set[tuple[int | None, str, str]]:
    found: set[tuple[int | None, str, str]] = set()
    found |= _response_time(played, t) | _cycling(played, t) | _left_early(played, t)
    idle: list[tuple[int, str]] = []
    by_chance: list[tuple[int, str]] = []
    for one in played:
        found |= {(one.attempt, rule, strength) for rule, strength in _of_attempt(one, t)}
        tries = one.outcome == "completed" or one.levels > t["early_levels"]
        if _is_idle(one, t):
            if tries:
                found.add((one.attempt, "idle", REVIEW))
            else:
                idle.append((one.attempt, REVIEW))
        if not tries and (strength := _random(values[one.attempt], t)):
            by_chance.append((one.attempt, strength))
    for rule, flagged in (("random", by_chance), ("idle", idle)):
        many = len(flagged) >= max(1, t["random_strong_environments"])
        strong = many and len(flagged) > t["random_strong_share"] * len(played)
        found |= {(attempt, rule, STRONG if strong else strength) for attempt, strength in flagged}
    return found


def _least(one: Played, t: dict[str, Any]) -> float:
    """T of Wise and Kong; 0 without norms."""
    if one.norms is None:
        return 0.0
    return float(min(t["response_most_seconds"], t["response_mean_share"] * one.norms["mean_active_seconds"]))


def _response_time(played: list[Played], t: dict[str, Any]) -> set[tuple[int | None, str, str]]:
    judged = rushed = 0
    for one in played:
        if one.norms is None:
            continue
        tried = one.outcome == "completed" or one.active(t["idle_gap_seconds"]) >= _least(one, t)
        if not tried and one.outcome in CUT_SHORT:
            continue
        judged += 1
        rushed += not tried
    if judged < max(1, t["response_least_environments"]) or not rushed:
        return set()
    effort = (judged - rushed) / judged
    if effort >= t["response_review_below"]:
        return set()
    return {(None, "response_time", STRONG if effort < t["response_strong_below"] else REVIEW)}


def _cycling(played: list[Played], t: dict[str, Any]) -> set[tuple[int | None, str, str]]:
    left = [
        one
        for one in played
        if one.outcome in ("gave_up", "concluded")
        and one.levels == 0
        and (one.seconds <= _least(one, t) or len(one.acts) <= t["cycling_actions"])
    ]
    return {(None, "cycling", REVIEW)} if len(left) >= max(1, t["cycling_environments"]) else set()


def _left_early(played: list[Played], t: dict[str, Any]) -> set[tuple[int | None, str, str]]:
    judged = [one for one in played if one.outcome not in CUT_SHORT]
    left = [one for one in judged if _is_left_early(one, t)]
    if len(judged) < max(1, t["early_least_environments"]) or not left:
        return set()
    if len(left) < t["early_share"] * len(judged):
        return set()
    after_levels = sum(one.levels > 0 for one in left)
    return {(None, "tutorial_only" if 2 * after_levels >= len(left) else "left_early", STRONG)}


def _is_left_early(one: Played, t: dict[str, Any]) -> bool:
    actions = len(one.last_level())
    needed = None if one.norms is None else one.norms["actions_to_complete"].get(str(one.levels + 1))
    in_little_time = one.active_on_last_level(t["idle_gap_seconds"]) <= t["early_seconds"]
    fewer = needed is not None and actions < needed
    given_up = one.outcome == "gave_up" and one.levels <= t["early_levels"]
    return given_up and actions <= t["early_actions"] and (in_little_time or fewer)


def _of_attempt(one: Played, t: dict[str, Any]) -> set[tuple[str, str]]:
    found = set()
    if one.norms is not None and _has_no_ops(one, one.norms, t):
        found.add(("no_ops", REVIEW))
    if one.norms is not None and _repeats(one, one.norms, t):
        found.add(("repeats", REVIEW))
    if _is_fast(one, t):
        found.add(("fast", REVIEW))
    if one.seconds > 0 and one.away > t["away_share"] * one.seconds:
        found.add(("away", NOTE))
    return found


def _has_no_ops(one: Played, norms: dict[str, Any], t: dict[str, Any]) -> bool:
    idle, actions = Counter[int](), Counter[int]()
    for act in one.acts:
        if act.action:
            actions[act.level] += 1
            idle[act.level] += not act.changed
    for level, number in actions.items():
        median = norms["no_op_median"].get(str(level))
        if median is None or number < t["no_op_least_actions"]:
            continue
        share = idle[level] / number
        if (
            share > t["no_op_share"]
            and share > median + t["no_op_deviations"] * norms["no_op_deviation"][str(level)]
        ):
            return True
    return False


def _repeats(one: Played, norms: dict[str, Any], t: dict[str, Any]) -> bool:
    least = max(norms["long_run"] + 1, t["run_least_actions"])
    for _, run in groupby(one.acts, key=lambda act: (act.action, act.cell)):
        same = list(run)
        if len(same) >= least and sum(not act.changed for act in same) > t["run_no_op_share"] * len(same):
            return True
    return False


def _is_fast(one: Played, t: dict[str, Any]) -> bool:
    intervals = []
    for before, after in pairwise(one.acts):
        if after.held:
            continue
        by_station = -1.0
        if before.pressed is not None and after.pressed is not None:
            by_station = after.pressed - before.pressed
        intervals.append(1000 * (by_station if by_station >= 0 else after.at - before.at))
    quick = sum(interval < t["fast_milliseconds"] for interval in intervals)
    many = len(intervals) >= max(1, t["fast_least_actions"])
    return bool(many and quick > t["fast_share"] * len(intervals))


def _is_idle(one: Played, t: dict[str, Any]) -> bool:
    pauses = [gap for gap in one.gaps() if gap > t["idle_gap_seconds"]]
    starts = [0.0, *(act.at for act in one.acts)]
    ends = [*(act.at for act in one.acts), max(one.seconds, starts[-1])]
    connected = one.seconds - sum(one.cut_off(begin, end) for begin, end in zip(starts, ends, strict=True))
    return bool(pauses) and sum(pauses) > t["idle_share"] * connected


def _random(value: Any, t: dict[str, Any]) -> str:
    """The strength of a finding about one attempt; "" for none."""
    if (
        value is None
        or value["actions"] < t["random_least_actions"]
        or value["acts"] < t["random_least_actions"]
    ):
        return ""
    uniform = min(value["frequencies"], value["transitions"]) >= t["random_significance"]
    ordered = value["order"] is None or value["order"] < t["random_significance"]
    return REVIEW if uniform else "" if ordered else NOTE


def _played(
    row: dict[str, Any], entries: list[dict[str, Any]], events: list[dict[str, Any]], norms: Any
) -> Played:
    start = row["first_frame_at"]

    def since_start(moment: Any) -> float:
        return float((moment - start).total_seconds())

    pauses = [(since_start(begin), since_start(end or row["ended_at"])) for begin, end in _pauses(events)]

    def on_the_clock(at: float) -> float:
        return at - sum(max(0.0, min(at, end) - max(begin, 0.0)) for begin, end in pauses)

    acts, offered = [], 0
    for entry in entries:
        if entry["seq"]:
            acts.append(
                Act(
                    entry["seq"],
                    entry["action"],
                    None if entry["x"] is None else (entry["x"], entry["y"]),
                    entry["level"],
                    entry["changed"],
                    on_the_clock(since_start(entry["server_time"])),
                    None if entry["client_time"] is None else since_start(entry["client_time"]),
                    entry["input"] == "key_repeat",
                    offered,
                )
            )
        offered = entry["available"]

    def shifted(moment: Any) -> float | None:
        return None if moment is None else on_the_clock(since_start(moment))

    absences = [(shifted(since), shifted(until)) for since, until in _absences(events)]
    length = since_start(row["ended_at"])
    away = 0.0
    for begin, end in _away(events):
        first, last = max(0.0, since_start(begin)), length if end is None else min(length, since_start(end))
        away += max(0.0, on_the_clock(last) - on_the_clock(first)) if last > first else 0.0
    return Played(
        row["attempt"],
        row["outcome"],
        row["levels_completed"],
        on_the_clock(length),
        away,
        acts,
        absences,
        norms,
    )


def _pauses(events: list[dict[str, Any]]) -> list[tuple[Any, Any]]:
    """The times in which staff, or an outage, stopped the clock; None: to the end of the attempt."""
    pauses: list[list[Any]] = []
    outages: list[list[Any]] = []
    for event in events:
        kind, at = event["kind"], event["server_time"]
        if kind not in ("paused", "resumed", "session_ended"):
            continue
        if json.loads(event["details"]).get("outage"):
            if kind == "paused":
                outages.append([at, None])
            else:
                outages[-1][1] = at
            continue
        is_open = bool(pauses) and pauses[-1][1] is None
        if kind == "paused" and not is_open:
            pauses.append([at, None])
        elif kind != "paused" and is_open:
            pauses[-1][1] = max(pauses[-1][0], at)
    return [(begin, end) for begin, end in sorted([*pauses, *outages], key=lambda pause: pause[0])]


def _absences(events: list[dict[str, Any]]) -> list[tuple[Any, Any]]:
    """The times without a connection: from a loss to the next connection, or unseen until a new one came."""
    kinds = ("connected", "disconnected", "superseded")
    seen = sorted((e for e in events if e["kind"] in kinds), key=lambda e: (e["server_time"], e["event"]))
    found: list[tuple[Any, Any]] = []
    lost: Any = None
    replaced, before = 0, False
    for place, event in enumerate(seen):
        kind, at = event["kind"], event["server_time"]
        following = seen[place + 1]["kind"] if place + 1 < len(seen) else "connected"
        if kind == "superseded":
            replaced += 1
        elif kind == "disconnected":
            if replaced:
                replaced -= 1
            elif lost is None:
                lost = at
        elif lost is not None:
            found.append((lost, at))
            lost = None
        elif before and not replaced and following != "superseded":
            found.append((None, at))
        before = before or kind == "connected"
    return found if lost is None else [*found, (lost, None)]


def _away(events: list[dict[str, Any]]) -> list[tuple[Any, Any]]:
    """The times in which the page was hidden or its window had no focus."""
    gone = {"page_hidden": "page", "window_blurred": "window"}
    back = {"page_shown": "page", "window_focused": "window"}
    known = sorted(
        (e for e in events if e["kind"] in {*gone, *back, "connected"}),
        key=lambda e: (e["server_time"], e["event"]),
    )
    found: list[tuple[Any, Any]] = []
    causes, since = set[str](), None
    for event in known:
        kind = event["kind"]
        if kind in gone:
            causes.add(gone[kind])
        elif kind in back:
            causes.discard(back[kind])
        else:
            causes.clear()
        if causes and since is None:
            since = event["server_time"]
        elif not causes and since is not None:
            found.append((since, event["server_time"]))
            since = None
    return found if since is None else [*found, (since, None)]


def _p_values_far(one: Played, value: Any) -> list[str]:
    """The p-values that another draw of random numbers does not give within four standard errors."""
    if value is None:
        return []
    chosen = [act for act in one.acts if act.action and act.offered >> act.action & 1]
    mine = dict(
        zip(
            ("frequencies", "transitions", "order"),
            _p_values(chosen, random.Random(one.attempt)),
            strict=True,
        )
    )
    lines = []
    for name, p in mine.items():
        published = value[name]
        if (p is None) != (published is None):
            lines.append(f"random, attempt {one.attempt}: {name} is {p} computed, {published} published")
        elif p is not None:
            middle = (p + published) / 2
            error = 4 * math.sqrt(2 * max(middle * (1 - middle), 1 / PLAYS) / PLAYS)
            if abs(p - published) > error:
                lines.append(
                    f"random, attempt {one.attempt}: {name} is {p:.3f} computed, {published:.3f} published"
                )
    return lines


def _p_values(chosen: list[Act], chance: random.Random) -> tuple[float, float, float | None]:
    """Of how often each choice was made, of how often each followed each, and of their order."""
    offers = [act.offered for act in chosen]
    made = [_symbol(act.action, act.cell) for act in chosen]
    follows = [place for place, (one, next_) in enumerate(pairwise(chosen)) if next_.seq == one.seq + 1]
    odds = {offered: _odds(offered) for offered in set(offers)}
    alone: defaultdict[int, float] = defaultdict(float)
    for offered in offers:
        for symbol, odd in odds[offered].items():
            alone[symbol] += odd
    in_pairs: defaultdict[tuple[int, int], float] = defaultdict(float)
    for (first, second), number in Counter((offers[place], offers[place + 1]) for place in follows).items():
        for a, odd in odds[first].items():
            for b, other in odds[second].items():
                in_pairs[a, b] += number * odd * other
    plays = [made]
    for _ in range(PLAYS):
        plays.append([_drawn(offered, chance) for offered in offers])
    single = [_ratio(Counter(play), alone) for play in plays]
    pairs = [_ratio(Counter((play[place], play[place + 1]) for place in follows), in_pairs) for play in plays]
    return _p(single), _p(pairs), _order(chosen, made, follows, chance)


def _order(chosen: list[Act], made: list[int], follows: list[int], chance: random.Random) -> float | None:
    if len(made) - max(Counter(made).values()) < 15 or len(follows) < 15:
        return None
    before = [(made[place], chosen[place].changed) for place in follows]
    after = [made[place + 1] for place in follows]
    firsts, seconds = Counter(before), Counter(after)
    expected = {(a, b): firsts[a] * seconds[b] / len(after) for a in firsts for b in seconds}
    ratios = [_ratio(Counter(zip(before, after, strict=True)), expected)]
    for _ in range(PLAYS):
        chance.shuffle(after)
        ratios.append(_ratio(Counter(zip(before, after, strict=True)), expected))
    return _p(ratios)


def _p(ratios: list[float]) -> float:
    return sum(ratio >= ratios[0] - 1e-9 for ratio in ratios) / len(ratios)


def _ratio(counts: Any, expected: Any) -> float:
    return 2 * math.fsum(count * math.log(count / expected[key]) for key, count in counts.items())


def _choices(offered: int) -> list[int]:
    return [action for action in range(1, 8) if offered >> action & 1]


def _odds(offered: int) -> dict[int, float]:
    """The random policy's chance of each choice: an action, or one of 16 blocks of cells."""
    choices = _choices(offered)
    odds: dict[int, float] = {}
    for action in choices:
        symbols = [8 + block for block in range(BLOCKS)] if action == CLICK else [action]
        odds |= dict.fromkeys(symbols, 1 / len(choices) / len(symbols))
    return odds


def _drawn(offered: int, chance: random.Random) -> int:
    action = chance.choice(_choices(offered))
    return 8 + chance.randrange(BLOCKS) if action == CLICK else action


def _symbol(action: int, cell: tuple[int, int] | None) -> int:
    return action if cell is None else 8 + cell[1] // 16 * 4 + cell[0] // 16
