"""transformers.cache_utils: keys and values of the tokens so far; they carry the graph they were computed in."""

import torch
from inplace_lsp.modelling import ignores

DESCRIBES = "transformers 4.40 to 5.23"


class Cache:
    """Keys and values by layer."""

    @ignores(
        "layers", "layer_class_to_replicate", "offloading", "offload_only_non_sliding", "kwargs",
        because="sizes and places say nothing of graphs",
    )  # fmt: skip
    def __init__(
        self, layers=None, layer_class_to_replicate=None, offloading=False, offload_only_non_sliding=True, **kwargs
    ):
        self.layers = {}

    @ignores("args", "kwargs", because="positions say nothing of graphs")
    def update(self, key_states, value_states, layer_idx, *args, **kwargs):
        """Put new keys and values behind those of the layer so far."""
        if layer_idx in self.layers:
            keys, values = self.layers[layer_idx]
            key_states, value_states = torch.cat([keys, key_states]), torch.cat([values, value_states])
        self.layers[layer_idx] = (key_states, value_states)
        return key_states, value_states

    def __getitem__(self, layer_idx):
        return self.layers[0 if layer_idx not in self.layers else layer_idx]

    def __iter__(self):
        return iter(self.layers.values())

    def to_legacy_cache(self):
        """Return the keys and values of each layer."""
        return tuple(self.layers.values())


DynamicCache = Cache
