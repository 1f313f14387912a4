"""torch.optim.swa_utils: weights that follow those of another module."""

import copy

import torch
from inplace_lsp.modelling import ignores, update
from torch.nn import BatchNorm1d, BatchNorm2d, BatchNorm3d, Module, SyncBatchNorm
from torch.optim.lr_scheduler import LRScheduler

DESCRIBES = "torch 2.13"

_BATCH_NORMS = (BatchNorm1d, BatchNorm2d, BatchNorm3d, SyncBatchNorm)


class AveragedModel(Module):
    """A copy of a module whose weights are averages of that module's."""

    @ignores("device", "avg_fn", "multi_avg_fn", "use_buffers", because="the copy is written, whatever the average is")
    def __init__(self, model, device=None, avg_fn=None, multi_avg_fn=None, use_buffers=False):
        super().__init__()
        self.module = copy.deepcopy(model)

    def forward(self, *args, **kwargs):
        """Call the copy."""
        return self.module(*args, **kwargs)

    @ignores("model", because="its weights are read and not written")
    def update_parameters(self, model):
        """Write the averages into the copy's weights and buffers."""
        update([*self.module.parameters(), *self.module.buffers()], "update_parameters")


@torch.no_grad()
@ignores("device", because="devices of tensors are not distinguished")
def update_bn(loader, model, device=None):
    """Reset the statistics of batch norms and compute them again in a pass over the data."""
    training = model.training
    for module in model.modules():
        if isinstance(module, _BATCH_NORMS):
            module.reset_running_stats()
    model.train()
    for batch in loader:
        model(batch[0] if isinstance(batch, (list, tuple)) else batch)
    model.train(training)


@ignores("decay", because="whatever the average is, the copy is written")
def get_ema_multi_avg_fn(decay=0.999):
    """Choose how weights are averaged."""


@ignores("decay", because="whatever the average is, the copy is written")
def get_ema_avg_fn(decay=0.999):
    """Choose how weights are averaged."""


class SWALR(LRScheduler):
    """Moves the learning rates towards a last one."""

    @ignores("swa_lr", "anneal_epochs", "anneal_strategy", because="a learning rate is a number")
    def __init__(self, optimizer, swa_lr, anneal_epochs=10, anneal_strategy="cos", last_epoch=-1):
        super().__init__(optimizer, last_epoch)
