"""torch_geometric.utils._scatter: where `scatter` is kept."""

from torch_geometric.utils import scatter

DESCRIBES = "torch_geometric 2.5 to 2.8"
