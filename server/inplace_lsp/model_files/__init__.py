"""Model files as texts: the mistakes in them, and the pages about what they may use."""
