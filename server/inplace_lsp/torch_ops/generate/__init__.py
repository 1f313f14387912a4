"""Makes the shipped op table out of an installed torch. For developers: nothing that the product uses imports it.

`python -m inplace_lsp.torch_ops.generate` writes the data; with `--check` it only says whether the data is current.
torch is imported inside functions, so that importing these modules stays harmless.
"""
