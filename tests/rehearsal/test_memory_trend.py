"""A soak tells flat memory from growing memory."""

import mmap
import os
import random
from pathlib import Path

import pytest

from tools.soak.memory import anonymous_megabytes, megabytes, memory
from tools.soak.trend import trend

SECONDS = [5.0 * number for number in range(720)]


def noisy(growth_an_hour: float, seed: int) -> list[float]:
    """An hour of samples around 200 MB, with slow waves as groups of people come and go."""
    source = random.Random(seed)
    wave, found = 0.0, []
    for at in SECONDS:
        wave = 0.95 * wave + source.gauss(0, 0.5)
        found.append(200 + wave + growth_an_hour * at / 3600)
    return found


@pytest.mark.parametrize("seed", range(5))
def test_flat_memory_is_flat(seed: int) -> None:
    found = trend(SECONDS, noisy(0, seed))
    assert found.verdict == "flat"
    assert found.low < found.slope < found.high


@pytest.mark.parametrize("seed", range(5))
def test_a_leak_grows(seed: int) -> None:
    assert trend(SECONDS, noisy(40, seed)).verdict == "grows"


def test_the_interval_holds_the_true_slope_about_as_often_as_it_says() -> None:
    intervals = [trend(SECONDS, noisy(40, seed)) for seed in range(100)]
    assert sum(one.low < 40 < one.high for one in intervals) >= 88


def test_what_is_loaded_once_is_no_growth() -> None:
    assert trend(SECONDS, [100.0] * 200 + [200.0] * 520).verdict == "flat"


def test_a_few_samples_are_no_trend() -> None:
    with pytest.raises(ValueError, match="24 samples"):
        trend(SECONDS[:20], [1.0] * 20)


def test_this_process_is_among_those_measured() -> None:
    assert 10 < memory()["simulated people"] < 4000


def test_what_a_process_writes_to_memory_counts_and_what_it_reads_of_a_file_does_not(tmp_path: Path) -> None:
    size = 64 * 1024 * 1024
    file = tmp_path / "library"
    file.write_bytes(bytes(size))
    before = megabytes(os.getpid())
    with file.open("rb") as opened, mmap.mmap(opened.fileno(), size, prot=mmap.PROT_READ) as mapped:
        assert sum(mapped[:: mmap.PAGESIZE]) == 0
        with_file = megabytes(os.getpid())
    written = bytearray(b"x") * size
    with_memory = megabytes(os.getpid())
    assert with_file - before < 16
    assert with_memory - with_file > 48
    assert len(written) == size


@pytest.mark.parametrize(
    ("rollup", "expected"),
    [
        ("Pss: 9216 kB\nPss_Anon: 3072 kB\nPrivate_Dirty: 1024 kB\nSwapPss: 1024 kB\n", 4.0),
        ("Pss: 9216 kB\nPrivate_Dirty: 2048 kB\n", 2.0),
        ("", 0.0),
    ],
)
def test_anonymous_memory_is_read_on_older_kernels_too(rollup: str, expected: float) -> None:
    assert anonymous_megabytes(rollup) == expected
