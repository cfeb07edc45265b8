"""What a paper must report about a human baseline: the items, a report as a value, and its written forms.

The items and their numbers are those of the reporting checklist of Wei et al. 2025, "Recommendations and
reporting checklist for rigorous and transparent human baselines in model evaluations".
"""

from playtest.rules.reporting.document import ITEMS, LONGEST_ANSWER, Entry, Fact, Item, Report, Table, item_of
from playtest.rules.reporting.latex import as_latex
from playtest.rules.reporting.markdown import as_markdown

__all__ = [
    "ITEMS",
    "LONGEST_ANSWER",
    "Entry",
    "Fact",
    "Item",
    "Report",
    "Table",
    "as_latex",
    "as_markdown",
    "item_of",
]
