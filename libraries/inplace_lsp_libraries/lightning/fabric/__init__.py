"""lightning.fabric: modules and optimizers as they are, set up for devices and precisions."""

from contextlib import contextmanager

import torch
from inplace_lsp.modelling import data, ignores, is_true
from lightning.fabric.wrappers import _FabricModule, _is_mixed

DESCRIBES = "lightning 2.0 to 2.6"


@ignores("workers", "verbose", because="random numbers have no graph")
def seed_everything(seed=None, workers=False, verbose=True):
    """Seed the random numbers."""
    return seed


class Fabric:
    """Sets up modules, optimizers and loaders, and walks back."""

    is_global_zero = True
    world_size = 1
    global_rank = local_rank = node_rank = 0

    @ignores(
        "accelerator", "strategy", "devices", "num_nodes", "plugins", "loggers",
        because="where it runs changes no graph",
    )  # fmt: skip
    def __init__(
        self, *, accelerator="auto", strategy="auto", devices="auto", num_nodes=1, precision=None, plugins=None,
        callbacks=None, loggers=None,
    ):  # fmt: skip
        several = is_true(isinstance(callbacks, (list, tuple)))
        self._callbacks = callbacks if several else [] if callbacks is None else [callbacks]
        self._mixed = _is_mixed(precision)

    @ignores("move_to_device", "_reapply_compile", because="devices change no graph")
    def setup(self, module, *optimizers, scheduler=None, move_to_device=True, _reapply_compile=True):
        """Set up a module and its optimizers."""
        wrapped = _FabricModule(module, self._mixed)
        if not optimizers and scheduler is None:
            return wrapped
        return (wrapped, *self._set_inner_optimizers(optimizers), *([] if scheduler is None else [scheduler]))

    @ignores("move_to_device", "_reapply_compile", because="devices change no graph")
    def setup_module(self, module, move_to_device=True, _reapply_compile=True):
        """Set up a module."""
        return _FabricModule(module, self._mixed)

    def setup_optimizers(self, *optimizers):
        """Set up optimizers."""
        self._set_inner_optimizers(optimizers)
        return optimizers[0] if len(optimizers) == 1 else optimizers

    def _set_inner_optimizers(self, optimizers):
        for optimizer in optimizers:
            optimizer.optimizer = optimizer
        return optimizers

    @ignores("use_distributed_sampler", "move_to_device", because="batches have no graph")
    def setup_dataloaders(self, *dataloaders, use_distributed_sampler=True, move_to_device=True):
        """Set up loaders."""
        return dataloaders[0] if len(dataloaders) == 1 else dataloaders

    @ignores("model", because="gradients go to whom the graph leads")
    def backward(self, tensor, *args, model=None, **kwargs):
        """Walk back from the loss."""
        tensor.backward(*args, **kwargs)

    @ignores("optimizer", because="the module has the gradients")
    @ignores("error_if_nonfinite", because="it is about values")
    def clip_gradients(self, module, optimizer, clip_val=None, max_norm=None, norm_type=2.0, error_if_nonfinite=True):
        """Clip the gradients of a module."""
        if clip_val is not None:
            torch.nn.utils.clip_grad_value_(module.parameters(), clip_val)
        else:
            torch.nn.utils.clip_grad_norm_(module.parameters(), max_norm, norm_type)

    def autocast(self):
        """Work in the precision that was told."""
        return torch.autocast("cpu", enabled=self._mixed)

    @contextmanager
    @ignores("module", "enabled", because="gradients are kept apart, not the graph")
    def no_backward_sync(self, module, enabled=True):
        """Keep the gradients on this process."""
        yield

    @contextmanager
    @ignores("empty_init", because="values say nothing of who saves them")
    def init_module(self, empty_init=None):
        """Make parameters on the device."""
        yield

    @contextmanager
    def init_tensor(self):
        """Make tensors on the device."""
        yield

    @contextmanager
    def sharded_model(self):
        """Make a module in shards."""
        yield

    @contextmanager
    @ignores("local", because="who runs first changes no graph")
    def rank_zero_first(self, local=False):
        """Let the first process run first."""
        yield

    def launch(self, function=None, *args, **kwargs):
        """Start the processes."""
        return function(self, *args, **kwargs) if function is not None else None

    @ignores("group", "sync_grads", because="one process gathers what it has")
    def all_gather(self, data, group=None, sync_grads=False):
        """Gather what all processes have: with one process, the very tensor."""
        return data

    @ignores("group", "reduce_op", because="one process has nothing to reduce")
    def all_reduce(self, data, group=None, reduce_op="mean"):
        """Reduce what all processes have: with one process, the very tensor."""
        return data

    @ignores("src", because="there is one process")
    def broadcast(self, obj, src=0):
        """Hand an object to all processes."""
        return obj

    def to_device(self, obj):
        """Move a module or tensors to the device."""
        return obj

    def call(self, hook_name, *args, **kwargs):
        """Call a hook of the callbacks."""
        for callback in self._callbacks:
            if is_true(hasattr(callback, hook_name)):
                getattr(callback, hook_name)(*args, **kwargs)

    @ignores("path", "strict", "weights_only", because="values say nothing of who saves them")
    def load(self, path, state=None, strict=True, *, weights_only=None):
        """Load a checkpoint into modules and optimizers."""
        for target in {} if state is None else state.values():
            if is_true(isinstance(target, torch.nn.Module)):
                target.load_state_dict(data("a checkpoint"))
        return data("a checkpoint")

    @ignores("path", "strict", "weights_only", because="values say nothing of who saves them")
    def load_raw(self, path, obj, strict=True, *, weights_only=None):
        """Load a checkpoint into one module or optimizer."""
        obj.load_state_dict(data("a checkpoint"))

    @ignores("path", "state", "filter", because="reading changes nothing")
    def save(self, path, state, filter=None):
        """Save a checkpoint."""

    @ignores("name", because="waiting changes nothing")
    def barrier(self, name=None):
        """Wait for the other processes."""

    @ignores("args", "kwargs", because="printing changes nothing")
    def print(self, *args, **kwargs):
        """Print."""

    @ignores("name", "value", "step", because="reading changes nothing")
    def log(self, name, value, step=None):
        """Log a value."""

    @ignores("metrics", "step", because="reading changes nothing")
    def log_dict(self, metrics, step=None):
        """Log several values."""

    @staticmethod
    @ignores("workers", "verbose", because="random numbers have no graph")
    def seed_everything(seed=None, workers=None, verbose=True):
        """Seed the random numbers."""
        return seed
