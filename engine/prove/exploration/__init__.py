"""The state graph of a level: its exploration, its report and the chance that random play wins."""
