"""torch.distributed.nn: the collectives of its `functional`."""

from torch.distributed.nn.functional import all_gather, all_reduce, broadcast, reduce, reduce_scatter

DESCRIBES = "torch 2.13"
