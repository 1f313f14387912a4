"""Model files as texts: checks for mistakes, and the reference pages about what they may use."""
