"""Generate the shipped op table from an installed torch. For developers: the product does not import it.

`python -m inplace_lsp.torch_ops.generate` writes the data; with `--check` it only says whether the data is current.
torch is imported inside functions, so that importing these modules stays harmless.
"""
