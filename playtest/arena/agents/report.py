"""What is printed about a run: the scores are the server's, from its closed card."""

from typing import Any

from playtest.arena.agents.runner import CardRun, Played

_HEADINGS = ("environment", "levels", "actions", "score", "ended")


def as_json(run: CardRun) -> dict[str, Any]:
    """The run as `--json` prints it. Scores are in percent, null where the server does not disclose them."""
    environments = [_environment(played, _on_card(run, played)) for played in run.played]
    return {
        "agent": run.agent,
        "card_id": run.card_id,
        "score": run.answer.get("score"),
        "environments": environments,
        "actions": sum(played.actions for played in run.played),
        "seconds": round(run.seconds, 3),
        "cost": run.cost,
        "interrupted": run.interrupted,
        **run.counts,
    }


def as_table(run: CardRun) -> str:
    """The run as text, a line for each environment."""
    shown = as_json(run)
    rows = [_HEADINGS, *(_row(environment) for environment in shown["environments"])]
    widths = [max(len(row[column]) for row in rows) for column in range(len(_HEADINGS))]
    lines = [
        "  ".join(
            text.rjust(width) if 0 < column < 4 else text.ljust(width)
            for column, (text, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]
    cost = "" if run.cost is None else f", {run.cost:.4f} dollars"
    lines.append(
        f"{run.agent}: score {_percent(shown['score'])}, {shown['actions']:,} actions in "
        f"{run.seconds:.1f} s{cost}; card {run.card_id}"
    )
    return "\n".join(lines)


def _environment(played: Played, scored: dict[str, Any]) -> dict[str, Any]:
    return {
        "id": played.game.game_id,
        "levels_completed": played.levels_completed,
        "levels": played.levels,
        "actions": played.actions,
        "score": scored.get("score"),
        "ended": played.ended,
        "note": played.note,
    }


def _on_card(run: CardRun, played: Played) -> dict[str, Any]:
    """The environment on the closed card; empty where the server answers with aggregates alone."""
    environments = run.answer.get("environments") or []
    return next((row for row in environments if row.get("id") == played.game.game_id), {})


def _row(environment: dict[str, Any]) -> tuple[str, ...]:
    ended = environment["ended"] + (f": {environment['note']}" if environment["note"] else "")
    levels = f"{environment['levels_completed']}/{environment['levels']}"
    return (environment["id"], levels, f"{environment['actions']:,}", _percent(environment["score"]), ended)


def _percent(score: float | None) -> str:
    return "-" if score is None else f"{score:.2f}"
