"""Linear algebra has one thread, so that it does not hold up the others of a serving process."""

import os
import subprocess
import sys

COUNT = """
import os
from playtest import settings
before = len(os.listdir("/proc/self/task"))
import numpy, scipy.linalg
print(len(os.listdir("/proc/self/task")) - before)
"""


def test_numpy_and_scipy_start_no_threads() -> None:
    environment = {name: value for name, value in os.environ.items() if name != "OPENBLAS_NUM_THREADS"}
    found = subprocess.run([sys.executable, "-c", COUNT], capture_output=True, env=environment, check=True)
    assert int(found.stdout) == 0
