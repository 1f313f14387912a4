"""transformers.optimization: schedules of learning rates."""

from inplace_lsp.modelling import ignores
from torch.optim.lr_scheduler import LRScheduler

DESCRIBES = "transformers 4.40 to 5.23"

_RATE = "a learning rate is a number: which one it is changes no graph"


@ignores("last_epoch", because=_RATE)
def get_constant_schedule(optimizer, last_epoch=-1):
    """Change the learning rates of the optimizer's groups."""
    return LRScheduler(optimizer)


@ignores("num_warmup_steps", "last_epoch", because=_RATE)
def get_constant_schedule_with_warmup(optimizer, num_warmup_steps, last_epoch=-1):
    """Change the learning rates of the optimizer's groups."""
    return LRScheduler(optimizer)


@ignores("num_warmup_steps", "num_training_steps", "num_cycles", "last_epoch", because=_RATE)
def get_cosine_schedule_with_warmup(optimizer, num_warmup_steps, num_training_steps, num_cycles=0.5, last_epoch=-1):
    """Change the learning rates of the optimizer's groups."""
    return LRScheduler(optimizer)


@ignores("num_warmup_steps", "num_training_steps", "num_cycles", "last_epoch", because=_RATE)
def get_cosine_with_hard_restarts_schedule_with_warmup(
    optimizer, num_warmup_steps, num_training_steps, num_cycles=1, last_epoch=-1
):
    """Change the learning rates of the optimizer's groups."""
    return LRScheduler(optimizer)


@ignores("num_warmup_steps", "timescale", "last_epoch", because=_RATE)
def get_inverse_sqrt_schedule(optimizer, num_warmup_steps, timescale=None, last_epoch=-1):
    """Change the learning rates of the optimizer's groups."""
    return LRScheduler(optimizer)


@ignores("num_warmup_steps", "num_training_steps", "last_epoch", because=_RATE)
def get_linear_schedule_with_warmup(optimizer, num_warmup_steps, num_training_steps, last_epoch=-1):
    """Change the learning rates of the optimizer's groups."""
    return LRScheduler(optimizer)


@ignores("num_warmup_steps", "num_training_steps", "lr_end", "power", "last_epoch", because=_RATE)
def get_polynomial_decay_schedule_with_warmup(
    optimizer, num_warmup_steps, num_training_steps, lr_end=1e-07, power=1.0, last_epoch=-1
):
    """Change the learning rates of the optimizer's groups."""
    return LRScheduler(optimizer)


@ignores("name", "num_warmup_steps", "num_training_steps", "scheduler_specific_kwargs", because=_RATE)
def get_scheduler(name, optimizer, num_warmup_steps=None, num_training_steps=None, scheduler_specific_kwargs=None):
    """Change the learning rates of the optimizer's groups."""
    return LRScheduler(optimizer)
