"""`python -m playtest.serve`: one web process."""

import sys

from playtest.serve.web import main

sys.exit(main())
