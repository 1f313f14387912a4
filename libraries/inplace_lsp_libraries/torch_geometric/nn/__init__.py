"""torch_geometric.nn: layers, pools and models of graphs."""

import torch
from inplace_lsp.modelling import ignores
from inplace_lsp.opaque_modules import OpaqueNetwork
from torch import nn
from torch_geometric.nn.conv import *
from torch_geometric.nn.models import *
from torch_geometric.nn.pool import *

DESCRIBES = "torch_geometric 2.5 to 2.8"

_SIZES = "how many channels there are does not matter"

Linear = nn.Linear


class BatchNorm(nn.Module):
    """A normalisation of the nodes of a batch."""

    @ignores("allow_single_element", "device", because=_SIZES)
    def __init__(
        self,
        in_channels,
        eps=1e-05,
        momentum=0.1,
        affine=True,
        track_running_stats=True,
        allow_single_element=False,
        device=None,
    ):
        super().__init__()
        self.module = nn.BatchNorm1d(in_channels, eps, momentum, affine, track_running_stats)

    def forward(self, x):
        """Normalise the nodes."""
        return self.module(x)


class _Norm(OpaqueNetwork):
    """A normalisation that keeps its input."""


LayerNorm = GraphNorm = InstanceNorm = GraphSizeNorm = PairNorm = MessageNorm = DiffGroupNorm = MeanSubtractionNorm = (
    _Norm
)


class Sequential(nn.Module):
    """Layers that take and give values by name, as `(layer, "x, edge_index -> x")`."""

    def __init__(self, input_args, modules):
        super().__init__()
        self.names = [name.strip() for name in input_args.split(",")]
        self.calls = [module if isinstance(module, (tuple, list)) else (module, None) for module in modules]
        self.layers = nn.ModuleList([layer for layer, _ in self.calls if isinstance(layer, nn.Module)])

    def forward(self, *args, **kwargs):
        """Run the layers one after the other."""
        values = {**dict(zip(self.names, args, strict=False)), **kwargs}
        last = self.names[0]
        result = values[last]
        for layer, call in self.calls:
            if call is None:
                result = layer(result)
                values[last] = result
                continue
            sources, _, targets = call.partition("->")
            result = layer(*[values[name.strip()] for name in sources.split(",")])
            names = [name.strip() for name in targets.split(",")]
            last = names[0]
            if len(names) == 1:
                values[last] = result
            else:
                values.update(zip(names, result, strict=False))
        return result


class JumpingKnowledge(OpaqueNetwork):
    """Puts the results of all layers together."""

    @ignores("channels", "num_layers", because=_SIZES)
    def __init__(self, mode, channels=None, num_layers=None):
        super().__init__()
        self.mode = mode

    def forward(self, xs):
        """Put the results together."""
        if self.mode == "cat":
            return torch.cat(xs, dim=-1)
        return torch.stack(xs, dim=-1).max(dim=-1)[0] if self.mode == "max" else self.run(xs)
