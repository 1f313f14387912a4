"""What the rest of the world knows about a file: the modules it imports, and types inferred by jedi."""
