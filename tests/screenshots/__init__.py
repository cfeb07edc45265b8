"""The pictures of docs/gallery.md, taken from the running product. `make screenshots` takes them again."""
