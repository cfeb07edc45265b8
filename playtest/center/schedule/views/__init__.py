"""Staff pages of the schedule, and the page of an invitation."""
