"""Generate the shipped op table from an installed torch.

`python -m tools.op_table` writes the data; with `--check` it only says whether the data is current.
torch is imported inside functions, so that importing these modules stays harmless.
"""
