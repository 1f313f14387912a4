"""Facts from outside a file: the modules it imports, and the types that jedi infers."""
