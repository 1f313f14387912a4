"""apex.amp: losses are scaled for a while."""

from contextlib import contextmanager

import torch
from inplace_lsp.modelling import ignores, is_true

DESCRIBES = "apex 0.1"


@ignores("opt_level", "enabled", "more", because="which casts are made says nothing of who saves them")
def initialize(models, optimizers=None, enabled=True, opt_level="O1", **more):
    """Prepare modules and optimizers for mixed precision."""
    return models if optimizers is None else (models, optimizers)


@contextmanager
@ignores("optimizers", "loss_id", "model", "delay_unscale", "delay_overflow_check", because="they are about factors")
def scale_loss(loss, optimizers, loss_id=0, model=None, delay_unscale=False, delay_overflow_check=False):
    """Scale the loss."""
    yield loss * torch.empty(())


def master_params(optimizer):
    """List the parameters of an optimizer."""
    return [parameter for group in optimizer.param_groups for parameter in group["params"]]


@contextmanager
@ignores("handle", because="it is about casts")
def disable_casts(handle=None):
    """Work without casts."""
    yield
