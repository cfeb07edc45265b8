"""What the journal says of attempts and their levels, as tables; who counts, and the gate's verdict."""
