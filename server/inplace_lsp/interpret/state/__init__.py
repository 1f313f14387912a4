"""Values of variables and where they are kept: frames, memory layouts, paths, facts of other files."""
