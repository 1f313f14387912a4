"""accelerate.utils."""

from inplace_lsp.modelling import ignores, is_true

DESCRIBES = "accelerate 1.0 to 1.15"


@ignores("seed", "device_specific", "deterministic", because="random numbers have no graph")
def set_seed(seed, device_specific=False, deterministic=False):
    """Seed the random numbers."""


def gather(tensor):
    """Gather what all processes have: with one process, the very tensors."""
    return tensor


@ignores("reduction", "scale", because="one process has nothing to reduce")
def reduce(tensor, reduction="mean", scale=1.0):
    """Reduce what all processes have, into copies."""
    if is_true(isinstance(tensor, dict)):
        return {name: reduce(part) for name, part in tensor.items()}
    if is_true(isinstance(tensor, (list, tuple))):
        return type(tensor)([reduce(part) for part in tensor])
    return tensor.clone()


@ignores("dim", "pad_index", "pad_first", because="one process has nothing to pad to")
def pad_across_processes(tensor, dim=0, pad_index=0, pad_first=False):
    """Pad to the size of the other processes' tensors: with one process, the very tensors."""
    return tensor


@ignores("device", "non_blocking", "skip_keys", because="devices change no graph")
def send_to_device(tensor, device, non_blocking=False, skip_keys=None):
    """Move tensors to a device."""
    return tensor
