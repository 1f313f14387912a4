"""torch._dynamo: the compiler behind torch.compile."""

from inplace_lsp.modelling import ignores

DESCRIBES = "torch 2.13"


@ignores("recursive", "reason", "wrapping", because="compiled code does to tensors what the function says")
def disable(fn=None, recursive=True, *, reason=None, wrapping=True):
    """Leave the function as it is."""
    return fn if fn is not None else lambda function: function
