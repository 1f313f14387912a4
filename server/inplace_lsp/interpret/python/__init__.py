"""What Python does: expressions, statements, calls, classes, builtins, modules."""
