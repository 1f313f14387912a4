"""From a tape to findings: one file per hazard code, with its explanation and the programs that prove it.

`registry.find_all(tape)` is the entry point; `explain` writes the texts.
"""
