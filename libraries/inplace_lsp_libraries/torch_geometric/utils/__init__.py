"""torch_geometric.utils: helpers on edges and on values of nodes. Indices carry no gradients."""

import torch
from inplace_lsp.modelling import compute, data, ignores

DESCRIBES = "torch_geometric 2.5 to 2.8"

_EXTENT = "how many nodes there are does not matter"
_CHOICE = "which edges are chosen does not matter"


@ignores("dim", "dim_size", because=_EXTENT)
def scatter(src, index, dim=0, dim_size=None, reduce="sum"):
    """Reduce the values of each index."""
    if reduce in ("sum", "add", "mean"):
        out = compute("scatter_add", (src, index), saves=index)
        return out / degree(index) if reduce == "mean" else out
    if reduce in ("any",):
        return src[index]
    return compute("scatter_reduce", (src, index), saves=(src, index), saves_result=True)


@ignores("ptr", "num_nodes", "dim", because=_EXTENT)
def softmax(src, index=None, ptr=None, num_nodes=None, dim=0):
    """Normalise the values of each index."""
    out = src.exp()
    return out / scatter(out, index, reduce="sum")


@ignores("index", "num_nodes", "dtype", because=_EXTENT)
def degree(index, num_nodes=None, dtype=None):
    """Count how often each index stands there."""
    return torch.empty(())


def _with_edges(edge_index, edge_attr):
    return _split_edges(edge_index), None if edge_attr is None else edge_attr.clone()


@ignores("edge_index", because=_CHOICE)
def _split_edges(edge_index):
    return torch.empty(data("their number"), dtype=torch.long)


@ignores("fill_value", "num_nodes", because=_CHOICE)
def add_self_loops(edge_index, edge_attr=None, fill_value=None, num_nodes=None):
    """Add an edge from each node to itself."""
    return _with_edges(edge_index, edge_attr)


add_remaining_self_loops = add_self_loops


def remove_self_loops(edge_index, edge_attr=None):
    """Leave out edges from a node to itself."""
    return _with_edges(edge_index, edge_attr)


@ignores("p", "force_undirected", because=_CHOICE)
def dropout_edge(edge_index, p=0.5, force_undirected=False, training=True):
    """Leave out some edges in training."""
    return (_split_edges(edge_index) if training else edge_index), data("a mask")


@ignores("num_nodes", "num_neg_samples", "method", "force_undirected", because=_CHOICE)
def negative_sampling(edge_index, num_nodes=None, num_neg_samples=None, method="sparse", force_undirected=False):
    """Choose pairs of nodes without an edge."""
    return _split_edges(edge_index)


@ignores("fill_value", "max_num_nodes", "batch_size", because=_EXTENT)
def to_dense_batch(x, batch=None, fill_value=0.0, max_num_nodes=None, batch_size=None):
    """Copy the nodes of each graph into rows of their own."""
    if batch is None:
        return x.unsqueeze(0), torch.ones((), dtype=torch.bool)
    return compute("index_put", (x, batch), saves=batch), data("a mask")


@ignores("batch_size", because=_EXTENT)
def unbatch(src, batch, dim=0, batch_size=None):
    """Split the nodes into a view for each graph."""
    return src.split(degree(batch).tolist(), dim)


@ignores("edge_index", "max_num_nodes", "batch_size", because=_EXTENT)
def to_dense_adj(edge_index, batch=None, edge_attr=None, max_num_nodes=None, batch_size=None):
    """Add up the values of the edges between two nodes in a matrix of its own."""
    if edge_attr is None:
        return torch.zeros(())
    return compute("scatter_add", edge_attr, saves=batch)


@ignores("num_nodes", "reduce", because=_EXTENT)
def to_undirected(edge_index, edge_attr="???", num_nodes=None, reduce="add"):
    """Add the edges that lead back."""
    if isinstance(edge_attr, str):
        return _split_edges(edge_index)
    return _with_edges(edge_index, edge_attr)
