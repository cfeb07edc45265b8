"""A qualification: its parts, its checks, its findings and its report (report 3.5.1)."""
