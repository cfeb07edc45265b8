"""Takes the pictures of docs/gallery.md from the running product: `make screenshots`."""
