"""torch_geometric.nn.conv: layers that send messages along edges."""

import inspect

import torch
from inplace_lsp.modelling import compute, ignores
from inplace_lsp.opaque_modules import OpaqueModule, OpaqueNetwork
from torch import nn
from torch.nn import functional
from torch_geometric.utils import degree, scatter, softmax

DESCRIBES = "torch_geometric 2.5 to 2.8"

_SIZES = "how many nodes, heads or channels there are does not matter"


class MessagePassing(nn.Module):
    """Gathers what `message` wants of both ends of each edge, reduces the messages of each node, and updates."""

    @ignores("aggr_kwargs", "decomposed_layers", because=_SIZES)
    def __init__(self, aggr="sum", *, aggr_kwargs=None, flow="source_to_target", node_dim=-2, decomposed_layers=1):
        super().__init__()
        self.aggr = aggr
        self.flow = flow
        self.node_dim = node_dim

    def propagate(self, edge_index, size=None, **kwargs):
        """Send messages along the edges."""
        kwargs["edge_index"] = edge_index
        kwargs["size"] = size
        out = self.message(**self._collect_arguments(self.message, edge_index, kwargs))
        out = self.aggregate(out, **self._collect_arguments(self.aggregate, edge_index, kwargs))
        return self.update(out, **self._collect_arguments(self.update, edge_index, kwargs))

    def edge_updater(self, edge_index, size=None, **kwargs):
        """Compute values of edges."""
        kwargs["edge_index"] = edge_index
        kwargs["size"] = size
        return self.edge_update(**self._collect_arguments(self.edge_update, edge_index, kwargs))

    def _collect_arguments(self, function, edge_index, given):
        """Return the arguments that a function wants, those of nodes gathered for each edge."""
        to, origin = (1, 0) if self.flow == "source_to_target" else (0, 1)
        wanted = {}
        for name in inspect.signature(function).parameters:
            end = to if name[-2:] == "_i" else origin
            value = given.get(name[:-2])
            if name in ("index", "edge_index_i"):
                wanted[name] = edge_index[to]
            elif name == "edge_index_j":
                wanted[name] = edge_index[origin]
            elif name in ("ptr", "dim_size", "size_i", "size_j", "adj_t"):
                wanted[name] = None
            elif name in given:
                wanted[name] = given[name]
            elif value is not None and name[-2:] in ("_i", "_j"):
                value = value[end] if isinstance(value, (tuple, list)) else value
                wanted[name] = value if value is None else value.index_select(self.node_dim, edge_index[end])
        return wanted

    def message(self, x_j):
        """Send what the source node has."""
        return x_j

    @ignores("ptr", "dim_size", because=_SIZES)
    def aggregate(self, inputs, index, ptr=None, dim_size=None):
        """Reduce the messages of each node."""
        if isinstance(self.aggr, str):
            return scatter(inputs, index, self.node_dim, reduce=self.aggr)
        if isinstance(self.aggr, (list, tuple)):
            return torch.cat(
                [scatter(inputs, index, self.node_dim, reduce=reduction) for reduction in self.aggr], dim=-1
            )
        return compute("an aggregation", (inputs, index))

    def update(self, inputs):
        """Leave the reduced messages as they are."""
        return inputs


class GCNConv(MessagePassing):
    """Weighs messages by the degrees of both nodes."""

    @ignores("cached", "improved", "add_self_loops", "kwargs", because=_SIZES)
    def __init__(
        self,
        in_channels,
        out_channels,
        improved=False,
        cached=False,
        add_self_loops=None,
        normalize=True,
        bias=True,
        **kwargs,
    ):
        super().__init__()
        self.normalize = normalize
        self.lin = nn.Linear(in_channels, out_channels, bias=False)
        self.bias = nn.Parameter(torch.empty(out_channels)) if bias else None

    def forward(self, x, edge_index, edge_weight=None):
        """Send messages along the edges."""
        if self.normalize:
            norm = degree(edge_index[1])
            edge_weight = norm if edge_weight is None else norm * edge_weight * norm
        out = self.propagate(edge_index, x=self.lin(x), edge_weight=edge_weight)
        return out if self.bias is None else out + self.bias

    def message(self, x_j, edge_weight):
        """Weigh what the source node has."""
        return x_j if edge_weight is None else edge_weight.view(-1, 1) * x_j


class SAGEConv(MessagePassing):
    """Adds a layer of the reduced messages and one of the node itself."""

    @ignores("kwargs", because=_SIZES)
    def __init__(
        self,
        in_channels,
        out_channels,
        aggr="mean",
        normalize=False,
        root_weight=True,
        project=False,
        bias=True,
        **kwargs,
    ):
        super().__init__(aggr)
        self.normalize = normalize
        self.lin = nn.Linear(in_channels, in_channels) if project else None
        self.lin_l = nn.Linear(in_channels, out_channels, bias=bias)
        self.lin_r = nn.Linear(in_channels, out_channels, bias=False) if root_weight else None

    @ignores("size", because=_SIZES)
    def forward(self, x, edge_index, size=None):
        """Send messages along the edges."""
        x = x if isinstance(x, (tuple, list)) else (x, x)
        if self.lin is not None:
            x = (self.lin(x[0]).relu(), x[1])
        out = self.lin_l(self.propagate(edge_index, x=x))
        if self.lin_r is not None and x[1] is not None:
            out = out + self.lin_r(x[1])
        return functional.normalize(out, p=2.0, dim=-1) if self.normalize else out


class GraphConv(MessagePassing):
    """Weighs messages by the edges, and adds a layer of the node itself."""

    @ignores("kwargs", because=_SIZES)
    def __init__(self, in_channels, out_channels, aggr="add", bias=True, **kwargs):
        super().__init__(aggr)
        self.lin_rel = nn.Linear(in_channels, out_channels, bias=bias)
        self.lin_root = nn.Linear(in_channels, out_channels, bias=False)

    @ignores("size", because=_SIZES)
    def forward(self, x, edge_index, edge_weight=None, size=None):
        """Send messages along the edges."""
        x = x if isinstance(x, (tuple, list)) else (x, x)
        out = self.lin_rel(self.propagate(edge_index, x=x, edge_weight=edge_weight))
        return out if x[1] is None else out + self.lin_root(x[1])

    def message(self, x_j, edge_weight):
        """Weigh what the source node has."""
        return x_j if edge_weight is None else edge_weight.view(-1, 1) * x_j


class GINConv(MessagePassing):
    """Runs a module on the sum of a node and its neighbours."""

    @ignores("eps", "kwargs", because=_SIZES)
    def __init__(self, nn, eps=0.0, train_eps=False, **kwargs):
        super().__init__("add")
        self.nn = nn
        self.eps = torch.nn.Parameter(torch.empty(())) if train_eps else torch.empty(())

    @ignores("size", because=_SIZES)
    def forward(self, x, edge_index, size=None):
        """Send messages along the edges."""
        x = x if isinstance(x, (tuple, list)) else (x, x)
        out = self.propagate(edge_index, x=x)
        return self.nn(out if x[1] is None else out + (1 + self.eps) * x[1])


class EdgeConv(MessagePassing):
    """Runs a module on each node and its difference to a neighbour."""

    @ignores("kwargs", because=_SIZES)
    def __init__(self, nn, aggr="max", **kwargs):
        super().__init__(aggr)
        self.nn = nn

    def forward(self, x, edge_index):
        """Send messages along the edges."""
        return self.propagate(edge_index, x=x if isinstance(x, (tuple, list)) else (x, x))

    def message(self, x_i, x_j):
        """Run the module on both ends."""
        return self.nn(torch.cat([x_i, x_j - x_i], dim=-1))


class GATConv(MessagePassing):
    """Weighs messages by an attention of both nodes."""

    @ignores("edge_dim", "add_self_loops", "fill_value", "residual", "kwargs", because=_SIZES)
    def __init__(
        self,
        in_channels,
        out_channels,
        heads=1,
        concat=True,
        negative_slope=0.2,
        dropout=0.0,
        add_self_loops=True,
        edge_dim=None,
        fill_value="mean",
        bias=True,
        residual=False,
        **kwargs,
    ):
        super().__init__("add", node_dim=0)
        self.heads, self.out_channels, self.concat = heads, out_channels, concat
        self.negative_slope, self.dropout = negative_slope, dropout
        self.lin = nn.Linear(in_channels, heads * out_channels, bias=False)
        self.att_src = nn.Parameter(torch.empty(1, heads, out_channels))
        self.att_dst = nn.Parameter(torch.empty(1, heads, out_channels))
        self.bias = nn.Parameter(torch.empty(())) if bias else None

    @ignores("edge_attr", "size", because="what edges add to the attention is added before anything is kept")
    def forward(self, x, edge_index, edge_attr=None, size=None, return_attention_weights=None):
        """Send messages along the edges."""
        x = x if isinstance(x, (tuple, list)) else (x, x)
        nodes = self.lin(x[0]).view(-1, self.heads, self.out_channels)
        scores = (nodes * self.att_src).sum(-1), (nodes * self.att_dst).sum(-1)
        alpha = functional.leaky_relu(scores[0][edge_index[0]] + scores[1][edge_index[1]], self.negative_slope)
        alpha = functional.dropout(softmax(alpha, edge_index[1]), p=self.dropout, training=self.training)
        out = self.propagate(edge_index, x=(nodes, nodes), alpha=alpha)
        out = out.view(-1, self.heads * self.out_channels) if self.concat else out.mean(dim=1)
        out = out if self.bias is None else out + self.bias
        return out if return_attention_weights is None else (out, (edge_index, alpha))

    def message(self, x_j, alpha):
        """Weigh what the source node has."""
        return alpha.unsqueeze(-1) * x_j


class GATv2Conv(GATConv):
    """Weighs messages by another attention of both nodes."""


class _Convolution(OpaqueNetwork):
    """A layer of which no more is known than that it keeps its weights and its input."""


ChebConv = TAGConv = SGConv = SSGConv = APPNP = ARMAConv = GatedGraphConv = ResGatedGraphConv = _Convolution
TransformerConv = RGCNConv = FastRGCNConv = SignedConv = PointNetConv = GMMConv = SplineConv = NNConv = _Convolution
CGConv = LEConv = PNAConv = ClusterGCNConv = GENConv = GCN2Conv = WLConv = FiLMConv = SuperGATConv = _Convolution
HypergraphConv = FAConv = EGConv = GeneralConv = PDNConv = MixHopConv = GPSConv = RGATConv = _Convolution
AGNNConv = LGConv = GINEConv = DynamicEdgeConv = XConv = GravNetConv = MFConv = DNAConv = _Convolution


class HeteroConv(OpaqueModule):
    """Runs a layer for each type of edges, and adds up what they give the nodes of one type."""

    def __init__(self, convs, aggr="sum"):
        super().__init__()
        self.convs = nn.ModuleDict({"__".join(key): module for key, module in convs.items()})
        self.aggr = aggr
