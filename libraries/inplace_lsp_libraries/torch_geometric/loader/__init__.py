"""torch_geometric.loader: batches of graphs, which are new tensors each time."""

from inplace_lsp.modelling import data, ignores
from torch_geometric.data import Batch

DESCRIBES = "torch_geometric 2.5 to 2.8"


class DataLoader:
    """Puts graphs together, batch by batch."""

    @ignores("batch_size", "shuffle", "follow_batch", "exclude_keys", "kwargs", because="which graphs does not matter")
    def __init__(self, dataset, batch_size=1, shuffle=False, follow_batch=None, exclude_keys=None, **kwargs):
        self.dataset = dataset

    def __iter__(self):
        for _ in data("batches"):
            yield Batch.from_data_list(self.dataset) if isinstance(self.dataset, list) else data("a batch")


class _Parts:
    """Gives parts of a large graph."""

    @ignores("args", "kwargs", because="which nodes does not matter")
    def __init__(self, *args, **kwargs):
        pass

    def __iter__(self):
        yield from data("batches")


NeighborLoader = LinkNeighborLoader = HGTLoader = ClusterLoader = GraphSAINTRandomWalkSampler = _Parts
