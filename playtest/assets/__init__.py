"""Style sheets and JavaScript as they are served: bundled, compressed, under names with their digest."""
