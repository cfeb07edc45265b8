"""An agent that explores: in each state it tries what it has not tried, and walks where something is left."""
