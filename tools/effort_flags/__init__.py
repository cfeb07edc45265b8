"""How well the effort rules tell simulated people who try from those who do not."""
