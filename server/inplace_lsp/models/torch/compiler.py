"""torch.compiler: what is compiled, and what not, does the same to tensors."""

from inplace_lsp.modelling import ignores

DESCRIBES = "torch 2.13"


@ignores("recursive", "reason", because="compiled code does to tensors what the function says")
def disable(fn=None, recursive=True, *, reason=None):
    """Leave the function as it is."""
    return fn if fn is not None else lambda function: function


def is_compiling():
    """Tell whether the code is being compiled: it runs."""
    return False
