"""torch_geometric.data: graphs as objects of tensors, which carry no gradients of their own."""

import torch
from inplace_lsp.modelling import data, ignores

DESCRIBES = "torch_geometric 2.5 to 2.8"

_WHERE = "where the graphs lie does not matter"


class Data:
    """The tensors of a graph."""

    def __init__(self, x=None, edge_index=None, edge_attr=None, y=None, pos=None, time=None, **kwargs):
        self.x = x
        self.edge_index = edge_index
        self.edge_attr = edge_attr
        self.y = y
        self.pos = pos
        self.time = time
        for name, value in kwargs.items():
            setattr(self, name, value)

    @ignores("device", "args", "non_blocking", because="tensors are judged alike on all devices")
    def to(self, device, *args, non_blocking=False):
        """Return the graph on a device."""
        return self

    cuda = cpu = contiguous = pin_memory = coalesce = to

    @ignores("args", because="the copies of some are judged like those of all")
    def clone(self, *args):
        """Copy all tensors."""
        return Data(**{name: _copy_value(value) for name, value in self.__dict__.items()})

    def __getitem__(self, name):
        return getattr(self, name)

    def __setitem__(self, name, value):
        setattr(self, name, value)


def _copy_value(value):
    return value.clone() if isinstance(value, torch.Tensor) else value


class Batch(Data):
    """Several graphs as one, their tensors put together."""

    @classmethod
    @ignores("follow_batch", "exclude_keys", because="indices carry no gradients")
    def from_data_list(cls, data_list, follow_batch=None, exclude_keys=None):
        """Put graphs together."""
        graphs = list(data_list)
        first = graphs[0]
        batch = Batch()
        for name, value in first.__dict__.items():
            if isinstance(value, torch.Tensor):
                dim = -1 if name in ("edge_index", "face") else 0
                setattr(batch, name, torch.cat([getattr(graph, name) for graph in graphs], dim=dim))
            elif value is not None:
                setattr(batch, name, data(name))
        batch.batch = data("batch")
        batch.ptr = data("ptr")
        return batch

    def to_data_list(self):
        """Return the graphs it is made of."""
        return data("graphs")


class HeteroData(Data):
    """A graph of several types of nodes and edges."""

    @ignores("args", because="whatever a graph has is data")
    def __getitem__(self, *args):
        return data("nodes or edges")


class Dataset:
    """Graphs by number."""

    @ignores("root", "transform", "pre_transform", "pre_filter", "log", "force_reload", because=_WHERE)
    def __init__(self, root=None, transform=None, pre_transform=None, pre_filter=None, log=True, force_reload=False):
        pass

    def __getitem__(self, idx):
        return self.get(idx)


InMemoryDataset = Dataset
