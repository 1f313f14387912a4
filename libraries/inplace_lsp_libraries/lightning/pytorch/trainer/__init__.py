"""lightning.pytorch.trainer: which methods of a module and of callbacks are called, in which order and grad mode."""

import torch
from inplace_lsp.modelling import accepts, data, drives, ignores, is_known, is_true
from lightning.fabric.wrappers import _is_mixed
from lightning.pytorch.core.datamodule import LightningDataModule
from lightning.pytorch.core.module import _walk_back
from torch.utils.data import DataLoader

DESCRIBES = "lightning 2.0 to 2.6"


class Trainer:
    """Trains and evaluates a LightningModule."""

    @ignores(
        "accelerator", "strategy", "devices", "num_nodes", "logger", "fast_dev_run", "min_epochs", "min_steps",
        "max_time", "limit_train_batches", "limit_val_batches", "limit_test_batches", "limit_predict_batches",
        "overfit_batches", "val_check_interval", "check_val_every_n_epoch", "log_every_n_steps",
        "enable_checkpointing", "enable_progress_bar", "enable_model_summary", "gradient_clip_algorithm",
        "deterministic", "benchmark", "use_distributed_sampler", "profiler", "detect_anomaly", "barebones", "plugins",
        "sync_batchnorm", "reload_dataloaders_every_n_epochs", "default_root_dir", "enable_autolog_hparams",
        "model_registry", because="where, how often and with how much output it runs changes no graph",
    )  # fmt: skip
    def __init__(
        self, *, accelerator="auto", strategy="auto", devices="auto", num_nodes=1, precision=None, logger=None,
        callbacks=None, fast_dev_run=False, max_epochs=None, min_epochs=None, max_steps=-1, min_steps=None,
        max_time=None, limit_train_batches=None, limit_val_batches=None, limit_test_batches=None,
        limit_predict_batches=None, overfit_batches=0.0, val_check_interval=None, check_val_every_n_epoch=1,
        num_sanity_val_steps=None, log_every_n_steps=None, enable_checkpointing=None, enable_progress_bar=None,
        enable_model_summary=None, accumulate_grad_batches=1, gradient_clip_val=None, gradient_clip_algorithm=None,
        deterministic=None, benchmark=None, inference_mode=True, use_distributed_sampler=True, profiler=None,
        detect_anomaly=False, barebones=False, plugins=None, sync_batchnorm=False,
        reload_dataloaders_every_n_epochs=0, default_root_dir=None, enable_autolog_hparams=True, model_registry=None,
    ):  # fmt: skip
        self.callbacks = _list_callbacks(callbacks)
        self.max_epochs, self.max_steps = max_epochs, max_steps
        self.accumulate_grad_batches = accumulate_grad_batches
        self.gradient_clip_val = gradient_clip_val
        self.current_epoch = self.global_step = 0
        self.is_global_zero, self.world_size = True, 1
        self.sanity_checking = self.is_last_batch = False
        self.datamodule = None
        self._checks = not _is_wanted(num_sanity_val_steps, 0)
        self._inference = is_true(inference_mode)
        self._mixed = _is_mixed(precision)
        self._accumulates = is_true(isinstance(accumulate_grad_batches, int)) and accumulate_grad_batches > 1

    @drives
    @ignores("ckpt_path", "weights_only", because="the values of weights say nothing of who saves them")
    def fit(
        self, model, train_dataloaders=None, val_dataloaders=None, datamodule=None, ckpt_path=None, weights_only=None
    ):
        """Train the module on three batches, the last of them in a second epoch if there is one."""
        source = datamodule if datamodule is not None else train_dataloaders
        self._attach_model(model, source, "fit")
        model._set_up_optimizers()
        self.optimizers = model._optimizers
        brings = val_dataloaders is not None or self.datamodule is not None or is_true(hasattr(model, "val_dataloader"))
        validates = brings and is_true(hasattr(model, "validation_step"))
        self._call_hook("on_fit_start")
        if validates and self._checks:
            self.sanity_checking = True
            self._run_evaluation("validation", False)
            self.sanity_checking = False
        self._loader = self._find_train_loader(train_dataloaders)
        self._call_hook("on_train_start")
        for epoch, batches in self._plan_epochs():
            self.current_epoch = epoch
            self._call_hook("on_train_epoch_start")
            for index in range(batches):
                self.is_last_batch = index + 1 == batches
                self._train_on(self._take_batch(), index)
            if validates:
                self._run_evaluation("validation", False)
            self._call_hook("on_train_epoch_end")
        self._call_hook("on_train_end")
        self._call_hook("on_fit_end")
        self._detach_model("fit")

    @drives
    @ignores("dataloaders", "ckpt_path", "verbose", "weights_only", because="where batches and weights come from")
    def validate(self, model=None, dataloaders=None, ckpt_path=None, verbose=True, datamodule=None, weights_only=None):
        """Validate the module, without gradients."""
        return self._evaluate_alone("validation", model, datamodule)

    @drives
    @ignores("dataloaders", "ckpt_path", "verbose", "weights_only", because="where batches and weights come from")
    def test(self, model=None, dataloaders=None, ckpt_path=None, verbose=True, datamodule=None, weights_only=None):
        """Test the module, without gradients."""
        return self._evaluate_alone("test", model, datamodule)

    @drives
    @ignores("dataloaders", "ckpt_path", "weights_only", because="where batches and weights come from")
    @ignores("return_predictions", because="predictions have no graph")
    def predict(
        self, model=None, dataloaders=None, datamodule=None, return_predictions=None, ckpt_path=None, weights_only=None
    ):
        """Predict with the module, without gradients."""
        return self._evaluate_alone("predict", model, datamodule)

    def _call_hook(self, name, *arguments):
        """Call a hook of the callbacks and of the module, where they have it."""
        for callback in self.callbacks:
            if is_true(hasattr(callback, name)):
                getattr(callback, name)(self, self.lightning_module, *arguments)
        if is_true(hasattr(self.lightning_module, name)):
            return getattr(self.lightning_module, name)(*arguments)
        return None

    def _attach_model(self, model, source, stage):
        self.model = self.lightning_module = model
        model.trainer = model._trainer = self
        model._optimizers = None
        if is_true(isinstance(source, LightningDataModule)):
            self.datamodule = source
            source.trainer = self
            source.setup(stage)
        if is_true(hasattr(model, "configure_callbacks")):
            self.callbacks = [*self.callbacks, *_list_callbacks(model.configure_callbacks())]
        self._call_hook("setup", stage)
        self._call_hook("configure_model")

    def _detach_model(self, stage):
        self._call_hook("teardown", stage)

    def _plan_epochs(self):
        """Return the epochs, and of how many batches each is."""
        if _is_wanted(self.max_steps, 1):
            return [(0, 1)]
        if _is_wanted(self.max_steps, 2):
            return [(0, 2)]
        if _is_wanted(self.max_epochs, 1):
            return [(0, 3)]
        return [(0, 2), (1, 1)]

    def _find_train_loader(self, given):
        """Return the loader that brings the batches, wherever it comes from."""
        for owner in (self.datamodule, self.lightning_module):
            if owner is not None and is_true(hasattr(owner, "train_dataloader")):
                return owner.train_dataloader()
        return given

    def _take_batch(self):
        if is_true(isinstance(self._loader, DataLoader)):
            for batch in self._loader:
                return batch
        return data("a batch")

    def _train_on(self, batch, index):
        model = self.lightning_module
        batch = self._transfer_batch(batch)
        self._call_hook("on_train_batch_start", batch, index)
        if model.automatic_optimization:
            several = len(self.optimizers) > 1
            for at, optimizer in enumerate(self.optimizers):
                arguments = (batch, index, at) if several else _step_arguments(model, batch, index)
                output = self._run_optimizer(model, optimizer, arguments, index)
        else:
            with torch.autocast("cpu", enabled=self._mixed):
                output = model.training_step(*_step_arguments(model, batch, index))
            self.global_step += 1
        self._call_hook("on_train_batch_end", _without_graph(output), batch, index)

    def _transfer_batch(self, batch):
        for name in ("on_before_batch_transfer", "on_after_batch_transfer"):
            for owner in (self.datamodule, self.lightning_module):
                if owner is not None and is_true(hasattr(owner, name)):
                    batch = getattr(owner, name)(batch, 0)
                    break
        return batch

    def _run_optimizer(self, model, optimizer, arguments, index):
        """Give the optimizer a closure that calls the training step, drops the gradients and walks back."""
        output = None

        def closure():
            nonlocal output
            with torch.enable_grad():
                with torch.autocast("cpu", enabled=self._mixed):
                    output = model.training_step(*arguments)
                loss = output["loss"] if is_true(isinstance(output, dict)) else output
                if not self._accumulates or index % 2 == 0:
                    self._call_hook("on_before_zero_grad", optimizer)
                    model.optimizer_zero_grad(self.current_epoch, index, optimizer)
                if loss is not None:
                    _walk_back(self, model, loss / self.accumulate_grad_batches if self._accumulates else loss)
            return loss

        def closure_and_hooks():
            loss = closure()
            self._call_hook("on_before_optimizer_step", optimizer)
            model.configure_gradient_clipping(optimizer, self.gradient_clip_val, None)
            return loss

        if self._accumulates and not self.is_last_batch:
            closure()
        else:
            model.optimizer_step(self.current_epoch, index, optimizer, closure_and_hooks)
            self.global_step += 1
        return output

    def _evaluate_alone(self, stage, model, datamodule):
        model = self.lightning_module if model is None else model
        self._attach_model(model, datamodule, "validate" if stage == "validation" else stage)
        self._run_evaluation(stage, self._inference)
        self._detach_model(stage)
        return data("results")

    def _run_evaluation(self, stage, inference):
        modes = [(child, child.training) for child in self.lightning_module.children()]
        self.lightning_module.eval()
        if inference:
            with torch.inference_mode():
                self._evaluate_batch(stage)
        else:
            with torch.no_grad():
                self._evaluate_batch(stage)
        self.lightning_module.train()
        for child, mode in modes:
            child.train(mode)

    def _evaluate_batch(self, stage):
        self._call_hook(f"on_{stage}_start")
        self._call_hook(f"on_{stage}_epoch_start")
        batch = self._transfer_batch(data("a batch"))
        self._call_hook(f"on_{stage}_batch_start", batch, 0)
        step = getattr(self.lightning_module, f"{stage}_step", None)
        with torch.autocast("cpu", enabled=self._mixed):
            output = step(batch, 0)
        self._call_hook(f"on_{stage}_batch_end", output, batch, 0)
        self._call_hook(f"on_{stage}_epoch_end")
        self._call_hook(f"on_{stage}_end")


def _step_arguments(model, batch, index):
    return (batch, index) if accepts(model.training_step, batch, index) else (batch,)


def _is_wanted(number, wanted):
    return is_true(isinstance(number, int)) and number == wanted


def _list_callbacks(given):
    several = is_true(isinstance(given, (list, tuple)))
    return [callback for callback in (given if several else [given]) if is_known(callback) and callback is not None]


def _without_graph(output):
    """Return what hooks get of a step's output: the loss without its graph, all else as it is."""
    if is_true(isinstance(output, dict)):
        return {name: value.detach() if name == "loss" else value for name, value in output.items()}
    return None if output is None else {"loss": output.detach()}
