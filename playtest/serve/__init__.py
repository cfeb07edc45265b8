"""What starts and stops the product: its processes, what they need of the machine, and what they answer."""
