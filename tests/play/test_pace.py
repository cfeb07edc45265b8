"""How fast one connection may send."""

from playtest.play.pace import BURST, MESSAGES_A_SECOND, Pace, Verdict


def verdicts(pace: Pace, start: float, a_second: float, count: int) -> list[Verdict]:
    return [pace.take(start + i / a_second) for i in range(count)]


def test_a_burst_passes_and_one_more_does_not() -> None:
    pace = Pace()
    assert [pace.take(5.0) for _ in range(BURST + 1)] == [Verdict.TAKE] * BURST + [Verdict.REFUSE]


def test_the_permitted_rate_passes_for_ever() -> None:
    assert set(verdicts(Pace(), 0, MESSAGES_A_SECOND, 5_000)) == {Verdict.TAKE}


def test_a_pause_fills_the_bucket_again() -> None:
    pace = Pace()
    verdicts(pace, 0, 10_000, 300)
    assert pace.take(60.0) is Verdict.TAKE


def test_a_flood_is_refused_and_then_closed() -> None:
    seen = verdicts(Pace(), 0, 1_000, 3_000)
    assert seen[BURST + 10] is Verdict.REFUSE
    assert seen[-1] is Verdict.CLOSE
    assert Verdict.CLOSE not in seen[:1_000]
