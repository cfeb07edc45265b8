"""The rate limit of messages of one connection."""

from playtest.play.page.socket import BURST, MESSAGES_A_SECOND, RateLimit, Verdict


def verdicts(limit: RateLimit, start: float, a_second: float, count: int) -> list[Verdict]:
    return [limit.judge(start + i / a_second) for i in range(count)]


def test_a_burst_passes_and_one_more_does_not() -> None:
    limit = RateLimit()
    assert [limit.judge(5.0) for _ in range(BURST + 1)] == [Verdict.ACCEPT] * BURST + [Verdict.REFUSE]


def test_the_permitted_rate_always_passes() -> None:
    assert set(verdicts(RateLimit(), 0, MESSAGES_A_SECOND, 5_000)) == {Verdict.ACCEPT}


def test_a_pause_fills_the_bucket_again() -> None:
    limit = RateLimit()
    verdicts(limit, 0, 10_000, 300)
    assert limit.judge(60.0) is Verdict.ACCEPT


def test_a_flood_is_refused_and_then_the_connection_closed() -> None:
    seen = verdicts(RateLimit(), 0, 1_000, 3_000)
    assert seen[BURST + 10] is Verdict.REFUSE
    assert seen[-1] is Verdict.CLOSE
    assert Verdict.CLOSE not in seen[:1_000]
