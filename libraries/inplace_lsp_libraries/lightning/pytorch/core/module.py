"""lightning.pytorch.core.module: the module that a Trainer trains, and the optimizers it is given."""

from contextlib import contextmanager

import torch
from inplace_lsp.modelling import arguments_of_caller, data, ignores, is_known, is_true
from torch.nn import Module

DESCRIBES = "lightning 2.0 to 2.6"


class _AttributeDict:
    """A dict of hyperparameters, which are attributes, too."""

    def __init__(self, *args, **kwargs):
        for given in (*args, kwargs):
            self.__dict__.update(given)

    def __getitem__(self, name):
        return getattr(self, name)

    def __setitem__(self, name, value):
        setattr(self, name, value)

    def get(self, name, default=None):
        """Look up a hyperparameter."""
        return self.__dict__.get(name, default)

    def keys(self):
        """List the names."""
        return self.__dict__.keys()

    def values(self):
        """List the values."""
        return self.__dict__.values()

    def items(self):
        """List names and values."""
        return self.__dict__.items()

    def update(self, *args, **kwargs):
        """Set several."""
        for given in (*args, kwargs):
            self.__dict__.update(given)


class HyperparametersMixin:
    """What keeps the arguments of `__init__`."""

    @ignores("ignore", "frame", "logger", because="what is left out is not asked for later")
    def save_hyperparameters(self, *args, ignore=None, frame=None, logger=True):
        """Keep the arguments of `__init__` as `hparams`."""
        if not args or is_true(isinstance(args[0], str)):
            self.hparams = _AttributeDict(arguments_of_caller())
        elif is_true(isinstance(args[0], dict)):
            self.hparams = _AttributeDict(args[0])
        else:
            self.hparams = args[0]


class LightningModule(HyperparametersMixin, Module):
    """A module with its own training step and optimizers."""

    automatic_optimization = True
    _trainer = None
    _optimizers = None
    _schedulers = None

    def __entry__(self):
        """Train the module as `Trainer.fit` does, and test it."""
        from lightning.pytorch.trainer import Trainer

        Trainer().fit(self, val_dataloaders=data("batches"))

    @property
    def current_epoch(self):
        """Tell which epoch it is."""
        return self.trainer.current_epoch

    @property
    def global_step(self):
        """Count the steps that the optimizers have taken."""
        return self.trainer.global_step

    def configure_optimizers(self):
        """Train nothing: a user's module says what optimizes it."""

    def _set_up_optimizers(self):
        if self._optimizers is None:
            self._optimizers, self._schedulers = _list_optimizers(self.configure_optimizers())
            for optimizer in self._optimizers:
                optimizer.optimizer = optimizer
                optimizer.toggle_model = _make_toggle(self, optimizer)

    @ignores("use_pl_optimizer", because="Lightning's wrapper steps as the optimizer does")
    def optimizers(self, use_pl_optimizer=True):
        """Hand out what `configure_optimizers` gave."""
        self._set_up_optimizers()
        return self._optimizers[0] if len(self._optimizers) == 1 else self._optimizers

    def lr_schedulers(self):
        """Hand out the schedulers that `configure_optimizers` gave."""
        self._set_up_optimizers()
        if not self._schedulers:
            return None
        return self._schedulers[0] if len(self._schedulers) == 1 else self._schedulers

    def manual_backward(self, loss, *args, **kwargs):
        """Walk back from the loss."""
        _walk_back(self._trainer, self, loss, *args, **kwargs)

    def backward(self, loss, *args, **kwargs):
        """Walk back from the loss."""
        loss.backward(*args, **kwargs)

    @ignores("epoch", "batch_idx", because="counters hold no tensors")
    def optimizer_step(self, epoch, batch_idx, optimizer, optimizer_closure=None):
        """Step the optimizer, which calls the training step and walks back first."""
        if is_known(optimizer):
            optimizer.step(closure=optimizer_closure)
        else:
            optimizer_closure()

    @ignores("epoch", "batch_idx", because="counters hold no tensors")
    def optimizer_zero_grad(self, epoch, batch_idx, optimizer):
        """Drop the gradients."""
        optimizer.zero_grad()

    @ignores("gradient_clip_algorithm", because="by value or by norm, the gradients are written")
    def clip_gradients(self, optimizer, gradient_clip_val=None, gradient_clip_algorithm=None):
        """Clip the gradients of an optimizer's parameters."""
        if gradient_clip_val is not None:
            for group in optimizer.param_groups:
                torch.nn.utils.clip_grad_norm_(group["params"], gradient_clip_val)

    def configure_gradient_clipping(self, optimizer, gradient_clip_val=None, gradient_clip_algorithm=None):
        """Clip the gradients as the Trainer was told."""
        self.clip_gradients(optimizer, gradient_clip_val, gradient_clip_algorithm)

    def toggle_optimizer(self, optimizer):
        """Freeze the parameters of all other optimizers."""
        self._set_up_optimizers()
        self._required = {}
        for other in self._optimizers:
            for group in other.param_groups:
                for parameter in group["params"]:
                    if parameter not in self._required:
                        self._required[parameter] = parameter.requires_grad
                        parameter.requires_grad = False
        for group in optimizer.param_groups:
            for parameter in group["params"]:
                parameter.requires_grad = self._required[parameter]

    @ignores("optimizer", because="its own parameters have stayed as they are")
    def untoggle_optimizer(self, optimizer):
        """Make the other optimizers' parameters trainable again."""
        for parameter, required in self._required.items():
            parameter.requires_grad = required

    def toggled_optimizer(self, optimizer):
        """Freeze the parameters of all other optimizers for a while."""
        return _toggle_optimizer(self, optimizer)

    def freeze(self):
        """Freeze all parameters."""
        self.requires_grad_(False)
        return self.eval()

    def unfreeze(self):
        """Make all parameters trainable."""
        self.requires_grad_(True)
        return self.train()

    @ignores(
        "name", "value", "prog_bar", "logger", "on_step", "on_epoch", "reduce_fx", "enable_graph", "sync_dist",
        "sync_dist_group", "add_dataloader_idx", "batch_size", "metric_attribute", "rank_zero_only",
        because="what is logged is detached, and nothing of it written",
    )  # fmt: skip
    def log(
        self, name, value, prog_bar=False, logger=None, on_step=None, on_epoch=None, reduce_fx="mean",
        enable_graph=False, sync_dist=False, sync_dist_group=None, add_dataloader_idx=True, batch_size=None,
        metric_attribute=None, rank_zero_only=False,
    ):  # fmt: skip
        """Log a value."""

    @ignores(
        "dictionary", "prog_bar", "logger", "on_step", "on_epoch", "reduce_fx", "enable_graph", "sync_dist",
        "sync_dist_group", "add_dataloader_idx", "batch_size", "rank_zero_only",
        because="what is logged is detached, and nothing of it written",
    )  # fmt: skip
    def log_dict(
        self, dictionary, prog_bar=False, logger=None, on_step=None, on_epoch=None, reduce_fx="mean",
        enable_graph=False, sync_dist=False, sync_dist_group=None, add_dataloader_idx=True, batch_size=None,
        rank_zero_only=False,
    ):  # fmt: skip
        """Log several values."""

    @ignores("args", "kwargs", because="printing changes nothing")
    def print(self, *args, **kwargs):
        """Print."""

    @ignores("group", "sync_grads", because="one process gathers what it has")
    def all_gather(self, data, group=None, sync_grads=False):
        """Gather a tensor of all processes."""
        return data

    @classmethod
    @ignores("checkpoint_path", "map_location", "hparams_file", "strict", "weights_only",
             because="the values of weights say nothing of who saves them")  # fmt: skip
    def load_from_checkpoint(
        cls, checkpoint_path, map_location=None, hparams_file=None, strict=None, weights_only=None, **kwargs
    ):
        """Make a module with the weights of a checkpoint."""
        return cls(**kwargs)


def _walk_back(trainer, module, loss, *args, **kwargs):
    """Walk back from the loss, the hooks around it."""
    if trainer is not None:
        trainer._call_hook("on_before_backward", loss)
    module.backward(loss, *args, **kwargs)
    if trainer is not None:
        trainer._call_hook("on_after_backward")


def _list_optimizers(found):
    """List optimizers and schedulers, whatever `configure_optimizers` gave them in."""
    if found is None:
        return [], []
    if is_true(isinstance(found, dict)):
        scheduler = found.get("lr_scheduler")
        return [found["optimizer"]], [] if scheduler is None else [_unwrap_scheduler(scheduler)]
    if not is_true(isinstance(found, (list, tuple))):
        return [found], []
    if len(found) == 2 and is_true(isinstance(found[0], (list, tuple))):
        return list(found[0]), [_unwrap_scheduler(scheduler) for scheduler in found[1]]
    optimizers, schedulers = [], []
    for part in found:
        some, theirs = _list_optimizers(part)
        optimizers.extend(some)
        schedulers.extend(theirs)
    return optimizers, schedulers


def _unwrap_scheduler(given):
    return given["scheduler"] if is_true(isinstance(given, dict)) else given


def _make_toggle(module, optimizer):
    return lambda sync_grad=True: _toggle_optimizer(module, optimizer)


@contextmanager
def _toggle_optimizer(module, optimizer):
    module.toggle_optimizer(optimizer)
    yield
    module.untoggle_optimizer(optimizer)
