"""The numbers of the ARC-AGI-2 paper (sections 4 and 5) of a study with static tasks."""
