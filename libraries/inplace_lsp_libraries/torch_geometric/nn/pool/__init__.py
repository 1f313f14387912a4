"""torch_geometric.nn.pool: nodes of each graph reduced to one value."""

from inplace_lsp.modelling import ignores
from torch_geometric.utils import scatter

DESCRIBES = "torch_geometric 2.5 to 2.8"

_SIZE = "how many graphs there are does not matter"


@ignores("size", because=_SIZE)
def global_add_pool(x, batch, size=None):
    """Add up the nodes of each graph."""
    return x.sum(dim=-2, keepdim=True) if batch is None else scatter(x, batch, dim=-2, reduce="sum")


@ignores("size", because=_SIZE)
def global_mean_pool(x, batch, size=None):
    """Take the mean of the nodes of each graph."""
    return x.mean(dim=-2, keepdim=True) if batch is None else scatter(x, batch, dim=-2, reduce="mean")


@ignores("size", because=_SIZE)
def global_max_pool(x, batch, size=None):
    """Take the largest value of the nodes of each graph."""
    return x.max(dim=-2, keepdim=True)[0] if batch is None else scatter(x, batch, dim=-2, reduce="max")
