"""One environment in progress: its source, its game, its frames and turns."""
