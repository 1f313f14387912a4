"""mmcv.runner of mmcv 1.x: containers, which mmengine has taken over, and the loop around a model's `train_step`."""

from inplace_lsp.modelling import drives, ignores
from mmengine.model import BaseModule, ModuleDict, ModuleList, Sequential
from torch import nn

DESCRIBES = "mmcv 1.3 to 1.7"

_CASTS = "casts are left out"
_IDLE = "it is for those who override the method"


@ignores("apply_to", "out_fp32", "supported_types", because=_CASTS)
def auto_fp16(apply_to=None, out_fp32=False, supported_types=()):
    """Leave the function as it is."""
    return lambda function: function


@ignores("apply_to", "out_fp16", because=_CASTS)
def force_fp32(apply_to=None, out_fp16=False):
    """Leave the function as it is."""
    return lambda function: function


class Hook:
    """Is called between the steps of a runner."""

    @ignores("runner", because=_IDLE)
    def before_run(self, runner):
        """Do nothing."""

    @ignores("runner", because=_IDLE)
    def after_run(self, runner):
        """Do nothing."""

    def before_train_epoch(self, runner):
        """Do what is done before any epoch."""
        self.before_epoch(runner)

    def after_train_epoch(self, runner):
        """Do what is done after any epoch."""
        self.after_epoch(runner)

    def before_train_iter(self, runner):
        """Do what is done before any step."""
        self.before_iter(runner)

    def after_train_iter(self, runner):
        """Do what is done after any step."""
        self.after_iter(runner)

    @ignores("runner", because=_IDLE)
    def before_epoch(self, runner):
        """Do nothing."""

    @ignores("runner", because=_IDLE)
    def after_epoch(self, runner):
        """Do nothing."""

    @ignores("runner", because=_IDLE)
    def before_iter(self, runner):
        """Do nothing."""

    @ignores("runner", because=_IDLE)
    def after_iter(self, runner):
        """Do nothing."""


class OptimizerHook(Hook):
    """Walks the loss and steps the optimizer."""

    @ignores("detect_anomalous_params", because="it is for reports")
    def __init__(self, grad_clip=None, detect_anomalous_params=False):
        self.grad_clip = grad_clip

    def after_train_iter(self, runner):
        """Walk the loss, clip the gradients and step the optimizer."""
        runner.optimizer.zero_grad()
        runner.outputs["loss"].backward()
        if self.grad_clip is not None:
            nn.utils.clip_grad_norm_(runner.model.parameters(), 1.0)
        runner.optimizer.step()


class EpochBasedRunner:
    """Calls the model's `train_step` for each batch, and hooks between."""

    @ignores("work_dir", "logger", "meta", "max_iters", "max_epochs", because="reports are no part of a training step")
    def __init__(
        self,
        model,
        batch_processor=None,
        optimizer=None,
        work_dir=None,
        logger=None,
        meta=None,
        max_iters=None,
        max_epochs=None,
    ):
        self.model = model
        self.batch_processor = batch_processor
        self.optimizer = optimizer
        self._early, self._steppers, self._hooks = [], [], []

    def register_hook(self, hook, priority="NORMAL"):
        """Add a hook."""
        hooks = self._early if priority in ("HIGHEST", "VERY_HIGH", "HIGH") else self._hooks
        hooks.append(hook)

    def register_optimizer_hook(self, optimizer_config):
        """Add the hook that steps the optimizer."""
        if isinstance(optimizer_config, Hook):
            self._steppers.append(optimizer_config)
        elif optimizer_config is not None:
            self._steppers.append(OptimizerHook(optimizer_config.get("grad_clip")))

    @ignores(
        "lr_config",
        "checkpoint_config",
        "log_config",
        "momentum_config",
        "timer_config",
        "custom_hooks_config",
        because="rates, reports and files say nothing of tensors",
    )
    def register_training_hooks(
        self,
        lr_config,
        optimizer_config=None,
        checkpoint_config=None,
        log_config=None,
        momentum_config=None,
        timer_config=...,
        custom_hooks_config=None,
    ):
        """Add the hook that steps the optimizer."""
        self.register_optimizer_hook(optimizer_config)

    def call_hook(self, fn_name):
        """Call a method of each hook: those that step the optimizer come before those without a priority."""
        for hook in [*self._early, *self._steppers, *self._hooks]:
            getattr(hook, fn_name)(self)

    @drives
    @ignores("workflow", "max_epochs", because="a second epoch does what the first one did")
    def run(self, data_loaders, workflow, max_epochs=None, **kwargs):
        """Train the model."""
        self.call_hook("before_run")
        self.train(data_loaders[0], **kwargs)
        self.call_hook("after_run")

    def train(self, data_loader, **kwargs):
        """Call the model's `train_step` for each batch."""
        self.model.train()
        self.call_hook("before_train_epoch")
        for data_batch in data_loader:
            self.call_hook("before_train_iter")
            if self.batch_processor is not None:
                self.outputs = self.batch_processor(self.model, data_batch, train_mode=True, **kwargs)
            else:
                self.outputs = self.model.train_step(data_batch, self.optimizer, **kwargs)
            self.call_hook("after_train_iter")
        self.call_hook("after_train_epoch")


Runner = EpochBasedRunner
