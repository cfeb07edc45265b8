"""`make bench ARGS=load`: many people at once and a restart under them."""
