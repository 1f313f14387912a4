"""Model files of third-party libraries: what they do to tensors, as Python source that the recorder executes.

Nothing here is imported. `inplace_lsp.models` finds the files; docs/models.md says how to write one.
"""
