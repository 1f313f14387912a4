"""torch_geometric.transforms: data in, data out."""

import copy

from inplace_lsp.modelling import ignores

DESCRIBES = "torch_geometric 2.5 to 2.8"


class BaseTransform:
    """Gives a copy of the data object, transformed."""

    def __call__(self, data):
        return self.forward(copy.copy(data))

    def forward(self, data):
        """Leave the data as it is."""
        return data


class Compose(BaseTransform):
    """Does one transform after the other."""

    def __init__(self, transforms):
        self.transforms = transforms

    def forward(self, data):
        """Transform the data by each."""
        for transform in self.transforms:
            data = transform(data)
        return data


class _Transform(BaseTransform):
    @ignores("args", "kwargs", because="what they say of edges and labels brings no gradient")
    def __init__(self, *args, **kwargs):
        pass


def __getattr__(name):
    return _Transform if name[:1].isupper() else None
