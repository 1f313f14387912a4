"""Python's semantics: expressions, statements, calls, classes, builtins, modules."""
