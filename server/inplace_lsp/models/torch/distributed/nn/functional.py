"""torch.distributed.nn.functional: collectives that gradients flow through; what they give is new."""

from inplace_lsp.modelling import compute, ignores

DESCRIBES = "torch 2.13"

_WHO = "who takes part says nothing of the tensors here"


@ignores("op", "group", because=_WHO)
def all_reduce(tensor, op=..., group=None):
    """Add up what all processes have."""
    return compute("all_reduce", tensor)


@ignores("group", because=_WHO)
def all_gather(tensor, group=None):
    """Gather what all processes have."""
    return (compute("all_gather", tensor), compute("all_gather", tensor))


@ignores("src", "group", because=_WHO)
def broadcast(tensor, src, group=None):
    """Send what one process has to all."""
    return compute("broadcast", tensor)


@ignores("dst", "op", "group", because=_WHO)
def reduce(tensor, dst, op=..., group=None):
    """Add up what all processes have in one of them."""
    return compute("reduce", tensor)


@ignores("output", "op", "group", because=_WHO)
def reduce_scatter(output, input_list, op=..., group=None):
    """Add up what all processes have, a part in each."""
    return compute("reduce_scatter", input_list)
