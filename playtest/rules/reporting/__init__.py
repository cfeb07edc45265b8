"""What a paper must report about a human baseline: the items, a report as a value, and its written forms.

The items and their numbers are those of the reporting checklist of Wei et al. 2025, "Recommendations and
reporting checklist for rigorous and transparent human baselines in model evaluations".
"""
