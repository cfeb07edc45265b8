"""`python -m playtest.serve`: one web process."""

import gc
import sys

gc.disable()  # until the loop runs: what is loaded stays, and looking at it takes a tenth of the start

from playtest.serve.web import main  # noqa: E402

sys.exit(main())
