"""What is said about counts: intervals, tests and curves of reports, studies, versions, arena and planner."""
