"""The pictures of the README, taken from the running product. `make screenshots` takes them again."""
