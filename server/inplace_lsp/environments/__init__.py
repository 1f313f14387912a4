"""The environment that a program runs in, and the packages that are installed there, found without running anything.

`check` reads the sources of those packages; `verify` and `trace` run its interpreter.
"""
