"""A tape in, findings out: one file a code, each with its explanation and the programs that prove it.

`registry.findings(tape)` is the door; `explain` and `pages` write the texts.
"""
