"""torch.overrides: functions that classes of the user's take over."""

from inplace_lsp.modelling import ignores

DESCRIBES = "torch 2.13"


@ignores("relevant_args", because="tensors are taken for torch's own")
def has_torch_function(relevant_args, /):
    """Tell whether an argument takes over the functions it is given to."""
    return False
