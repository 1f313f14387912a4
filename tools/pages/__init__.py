"""The files that show what the program knows of itself: `python -m tools.write_pages` writes them."""
