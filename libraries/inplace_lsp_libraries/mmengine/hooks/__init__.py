"""mmengine.hooks: what a runner calls between its steps."""

from inplace_lsp.modelling import ignores

DESCRIBES = "mmengine 0.10"

_IDLE = "it is for those who override the method"


class Hook:
    """Is called between the steps of a runner."""

    priority = "NORMAL"

    @ignores("runner", because=_IDLE)
    def before_run(self, runner):
        """Do nothing."""

    @ignores("runner", because=_IDLE)
    def after_run(self, runner):
        """Do nothing."""

    @ignores("runner", because=_IDLE)
    def before_train(self, runner):
        """Do nothing."""

    @ignores("runner", because=_IDLE)
    def after_train(self, runner):
        """Do nothing."""

    @ignores("runner", because=_IDLE)
    def before_val(self, runner):
        """Do nothing."""

    @ignores("runner", because=_IDLE)
    def after_val(self, runner):
        """Do nothing."""

    @ignores("runner", because=_IDLE)
    def before_test(self, runner):
        """Do nothing."""

    @ignores("runner", because=_IDLE)
    def after_test(self, runner):
        """Do nothing."""

    @ignores("runner", "checkpoint", because=_IDLE)
    def before_save_checkpoint(self, runner, checkpoint):
        """Do nothing."""

    @ignores("runner", "checkpoint", because=_IDLE)
    def after_load_checkpoint(self, runner, checkpoint):
        """Do nothing."""

    def before_train_epoch(self, runner):
        """Do what is done before any epoch."""
        self._before_epoch(runner, mode="train")

    def after_train_epoch(self, runner):
        """Do what is done after any epoch."""
        self._after_epoch(runner, mode="train")

    def before_train_iter(self, runner, batch_idx, data_batch=None):
        """Do what is done before any step."""
        self._before_iter(runner, batch_idx=batch_idx, data_batch=data_batch, mode="train")

    def after_train_iter(self, runner, batch_idx, data_batch=None, outputs=None):
        """Do what is done after any step."""
        self._after_iter(runner, batch_idx=batch_idx, data_batch=data_batch, outputs=outputs, mode="train")

    def before_val_epoch(self, runner):
        """Do what is done before any epoch."""
        self._before_epoch(runner, mode="val")

    @ignores("metrics", because=_IDLE)
    def after_val_epoch(self, runner, metrics=None):
        """Do what is done after any epoch."""
        self._after_epoch(runner, mode="val")

    def before_val_iter(self, runner, batch_idx, data_batch=None):
        """Do what is done before any step."""
        self._before_iter(runner, batch_idx=batch_idx, data_batch=data_batch, mode="val")

    def after_val_iter(self, runner, batch_idx, data_batch=None, outputs=None):
        """Do what is done after any step."""
        self._after_iter(runner, batch_idx=batch_idx, data_batch=data_batch, outputs=outputs, mode="val")

    def before_test_epoch(self, runner):
        """Do what is done before any epoch."""
        self._before_epoch(runner, mode="test")

    @ignores("metrics", because=_IDLE)
    def after_test_epoch(self, runner, metrics=None):
        """Do what is done after any epoch."""
        self._after_epoch(runner, mode="test")

    def before_test_iter(self, runner, batch_idx, data_batch=None):
        """Do what is done before any step."""
        self._before_iter(runner, batch_idx=batch_idx, data_batch=data_batch, mode="test")

    def after_test_iter(self, runner, batch_idx, data_batch=None, outputs=None):
        """Do what is done after any step."""
        self._after_iter(runner, batch_idx=batch_idx, data_batch=data_batch, outputs=outputs, mode="test")

    @ignores("runner", "mode", because=_IDLE)
    def _before_epoch(self, runner, mode="train"):
        """Do nothing."""

    @ignores("runner", "mode", because=_IDLE)
    def _after_epoch(self, runner, mode="train"):
        """Do nothing."""

    @ignores("runner", "batch_idx", "data_batch", "mode", because=_IDLE)
    def _before_iter(self, runner, batch_idx, data_batch=None, mode="train"):
        """Do nothing."""

    @ignores("runner", "batch_idx", "data_batch", "outputs", "mode", because=_IDLE)
    def _after_iter(self, runner, batch_idx, data_batch=None, outputs=None, mode="train"):
        """Do nothing."""
