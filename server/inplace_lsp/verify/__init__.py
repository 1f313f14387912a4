"""Proof by running: a function and its inputs to the worker in the user's interpreter, its tape to a verdict.

The host side: `interpreter` and `launch` start the worker, `client` talks to it, `target` finds what to run, `inputs`
what to run it on, `verdict` and `compare` say what came of it. Nothing here imports torch or runs the user's code.
"""
