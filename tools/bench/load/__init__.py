"""`make bench ARGS=load`: many people at once, a restart under them, and how cost grows."""
