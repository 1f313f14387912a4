"""torch.sparse: the old names of `torch.sparse_coo_tensor`, one for each type of element."""

import torch
from inplace_lsp.modelling import ignores

DESCRIBES = "torch 2.13"


@ignores("device", because="where memory lies says nothing of who shares it")
def FloatTensor(*data, device=None):
    """Put the values at their indices."""
    return torch.sparse_coo_tensor(*data) if len(data) > 1 else torch.empty(())


DoubleTensor = FloatTensor
HalfTensor = FloatTensor
BFloat16Tensor = FloatTensor
LongTensor = FloatTensor
IntTensor = FloatTensor
ShortTensor = FloatTensor
CharTensor = FloatTensor
ByteTensor = FloatTensor
