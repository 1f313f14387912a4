"""mmengine.runner: the loop around a model's `train_step`, with hooks between; parts are built of their configs."""

import torch
from inplace_lsp.modelling import data, drives, ignores, is_known, is_true
from mmengine.optim import OptimWrapperDict, _build_wrapper, build_optim_wrapper
from mmengine.registry import HOOKS, MODELS
from torch import nn

DESCRIBES = "mmengine 0.10"

_PRIORITIES = {
    "HIGHEST": 0,
    "VERY_HIGH": 10,
    "HIGH": 30,
    "ABOVE_NORMAL": 40,
    "NORMAL": 50,
    "BELOW_NORMAL": 60,
    "LOW": 70,
    "VERY_LOW": 90,
    "LOWEST": 100,
}

_SHIPPED_HOOKS = (
    "CheckpointHook",
    "DistSamplerSeedHook",
    "EMAHook",
    "EarlyStoppingHook",
    "EmptyCacheHook",
    "IterTimerHook",
    "LoggerHook",
    "NaiveVisualizationHook",
    "ParamSchedulerHook",
    "ProfilerHook",
    "RuntimeInfoHook",
    "SyncBuffersHook",
)


class Runner:
    """Trains a model on the batches of a loader."""

    @ignores(
        "work_dir",
        "test_dataloader",
        "train_cfg",
        "val_cfg",
        "test_cfg",
        "auto_scale_lr",
        "param_scheduler",
        "val_evaluator",
        "test_evaluator",
        "default_hooks",
        "data_preprocessor",
        "load_from",
        "resume",
        "launcher",
        "env_cfg",
        "log_processor",
        "log_level",
        "visualizer",
        "default_scope",
        "randomness",
        "experiment_name",
        "cfg",
        because="evaluation and reports are no part of a training step",
    )
    def __init__(
        self,
        model,
        work_dir,
        train_dataloader=None,
        val_dataloader=None,
        test_dataloader=None,
        train_cfg=None,
        val_cfg=None,
        test_cfg=None,
        auto_scale_lr=None,
        optim_wrapper=None,
        param_scheduler=None,
        val_evaluator=None,
        test_evaluator=None,
        default_hooks=None,
        custom_hooks=None,
        data_preprocessor=None,
        load_from=None,
        resume=False,
        launcher="none",
        env_cfg=None,
        log_processor=None,
        log_level="INFO",
        visualizer=None,
        default_scope="mmengine",
        randomness=None,
        experiment_name=None,
        cfg=None,
    ):
        self.model = self.build_model(model)
        self.train_dataloader = train_dataloader
        self.val_dataloader = val_dataloader
        self.optim_wrapper = optim_wrapper
        self.message_hub = {}
        self.epoch = self.iter = 0
        self._hooks = []
        for hook in custom_hooks or []:
            if is_known(hook):
                self.register_hook(hook)

    @classmethod
    def from_cfg(cls, cfg):
        """Make a runner of a config."""
        return cls(
            model=cfg["model"],
            work_dir=cfg["work_dir"],
            train_dataloader=cfg.get("train_dataloader"),
            val_dataloader=cfg.get("val_dataloader"),
            optim_wrapper=cfg.get("optim_wrapper"),
            custom_hooks=cfg.get("custom_hooks"),
        )

    def build_model(self, model):
        """Return the model, made of its config where it is one."""
        return model if is_true(isinstance(model, nn.Module)) else MODELS.build(model)

    def build_optim_wrapper(self, optim_wrapper):
        """Return the wrapper of the optimizer, made of its config where it is one."""
        if not is_true(isinstance(optim_wrapper, dict)):
            return optim_wrapper
        optimizer = optim_wrapper.get("optimizer")
        if isinstance(optimizer, torch.optim.Optimizer):
            return _build_wrapper(optim_wrapper)
        if optimizer is not None or "constructor" in optim_wrapper:
            return build_optim_wrapper(self.model, optim_wrapper)
        return OptimWrapperDict(**optim_wrapper)

    def register_hook(self, hook, priority=None):
        """Add a hook behind those of its priority; what mmengine brings along writes nothing between two steps."""
        wanted = priority
        if is_true(isinstance(hook, dict)):
            if hook["type"] in _SHIPPED_HOOKS:
                return
            wanted = hook.get("priority") if wanted is None else wanted
            hook = HOOKS.build({name: value for name, value in hook.items() if name != "priority"})
        if wanted is not None:
            hook.priority = wanted
        place = _number_priority(hook)
        before = [other for other in self._hooks if _number_priority(other) <= place]
        self._hooks = [*before, hook, *[other for other in self._hooks if _number_priority(other) > place]]

    def register_custom_hooks(self, hooks):
        """Add several hooks."""
        for hook in hooks:
            self.register_hook(hook)

    def call_hook(self, fn_name, **kwargs):
        """Call a method of each hook."""
        for hook in self._hooks:
            if is_true(hasattr(hook, fn_name)):
                getattr(hook, fn_name)(self, **kwargs)

    @drives
    def train(self):
        """Call the model's `train_step` for each batch, and hooks between."""
        self.optim_wrapper = self.build_optim_wrapper(self.optim_wrapper)
        self.model.init_weights()
        self.call_hook("before_run")
        self.call_hook("before_train")
        self.call_hook("before_train_epoch")
        self.model.train()
        for batch_idx, data_batch in enumerate(_list_batches(self.train_dataloader)):
            self._run_iteration(batch_idx, data_batch)
        self.call_hook("after_train_epoch")
        if self.val_dataloader is not None:
            self.val()
        self.call_hook("after_train")
        self.call_hook("after_run")
        return self.model

    def _run_iteration(self, batch_idx, data_batch):
        self.call_hook("before_train_iter", batch_idx=batch_idx, data_batch=data_batch)
        outputs = self.model.train_step(data_batch, optim_wrapper=self.optim_wrapper)
        self.call_hook("after_train_iter", batch_idx=batch_idx, data_batch=data_batch, outputs=outputs)
        self.iter += 1

    def val(self):
        """Call the model's `val_step` without gradients, and hooks between."""
        self.call_hook("before_val")
        self.call_hook("before_val_epoch")
        self.model.eval()
        with torch.no_grad():
            data_batch = data("a batch")
            self.call_hook("before_val_iter", batch_idx=0, data_batch=data_batch)
            outputs = self.model.val_step(data_batch)
            self.call_hook("after_val_iter", batch_idx=0, data_batch=data_batch, outputs=outputs)
        self.call_hook("after_val_epoch", metrics={})
        self.call_hook("after_val")
        self.model.train()
        return {}


def _number_priority(hook):
    """Return the number of a hook's priority, that of an ordinary one where it is not known."""
    priority = getattr(hook, "priority", "NORMAL")
    if isinstance(priority, str):
        return _PRIORITIES.get(priority, 50)
    return priority if is_true(isinstance(priority, int)) else 50


def _list_batches(loader):
    """Return the batches of a loader; of one that is made of a config, nothing is known but that it is data."""
    return [data("a batch"), data("a batch")] if is_true(isinstance(loader, dict)) else loader
