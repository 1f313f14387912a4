"""torch.distributed: collectives that write what they are given. No version counter moves, and no graph notices.

Those that fill a list (`all_gather`, `gather`, `reduce_scatter`) copy, which autograd sees; they are left out.
"""

from inplace_lsp.modelling import ignores, overwrite

DESCRIBES = "torch 2.13"

_WHO = "which processes take part, and when it is done, does not change what is written"


@ignores("op", "group", "async_op", because=_WHO)
def all_reduce(tensor, op=None, group=None, async_op=False):
    """Put what all processes give together into the tensor."""
    overwrite(tensor, "all_reduce")


@ignores("op", "group", "async_op", because=_WHO)
def all_reduce_coalesced(tensors, op=None, group=None, async_op=False):
    """Put what all processes give together into the tensors."""
    overwrite(tensors, "all_reduce_coalesced")


@ignores("src", "group", "async_op", "group_src", because=_WHO)
def broadcast(tensor, src=None, group=None, async_op=False, group_src=None):
    """Fill the tensor with that of another process."""
    overwrite(tensor, "broadcast")


@ignores("dst", "op", "group", "async_op", "group_dst", because=_WHO)
def reduce(tensor, dst=None, op=None, group=None, async_op=False, group_dst=None):
    """Put what all processes give together into the tensor of one of them."""
    overwrite(tensor, "reduce")


@ignores("scatter_list", "src", "group", "async_op", "group_src", because=_WHO)
def scatter(tensor, scatter_list=None, src=None, group=None, async_op=False, group_src=None):
    """Fill the tensor with one of those that another process gives."""
    overwrite(tensor, "scatter")


@ignores("input", "output_split_sizes", "input_split_sizes", "group", "async_op", because=_WHO)
def all_to_all_single(output, input, output_split_sizes=None, input_split_sizes=None, group=None, async_op=False):
    """Fill the output with parts of what all processes give."""
    overwrite(output, "all_to_all_single")


@ignores("src", "group", "tag", "group_src", because=_WHO)
def recv(tensor, src=None, group=None, tag=0, group_src=None):
    """Fill the tensor with what another process sends."""
    overwrite(tensor, "recv")
