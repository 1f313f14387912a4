"""torch.utils.checkpoint: what a function saves is computed again at backward."""

from torch.utils.checkpoint import checkpoint

DESCRIBES = "torch 2.13"


def checkpoint_sequential(functions, segments, input, use_reentrant=None, **kwargs):
    """Run each segment of layers but the last under a checkpoint."""
    layers = list(functions)
    size = max(1, len(layers) // segments)
    last = size * (segments - 1)
    for start in range(0, last, size):
        input = checkpoint(_run_layers, layers[start : start + size], input, use_reentrant=use_reentrant, **kwargs)
    return _run_layers(layers[last:], input)


def _run_layers(layers, input):
    for layer in layers:
        input = layer(input)
    return input
