"""Where people are among the states of a level: the page with the figure, the page of one state."""
