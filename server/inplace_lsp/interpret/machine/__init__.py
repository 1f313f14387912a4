"""One run along one path: what it needs, and the doors between the parts of the interpreter."""
