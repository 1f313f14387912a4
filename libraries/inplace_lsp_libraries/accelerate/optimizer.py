"""accelerate.optimizer: an optimizer that steps when enough gradients have come together."""

from inplace_lsp.modelling import ignores

DESCRIBES = "accelerate 1.0 to 1.15"


class AcceleratedOptimizer:
    """Steps an optimizer at the end of each accumulation."""

    _accelerator = None

    @ignores("device_placement", "scaler", because="devices and scales change no graph")
    def __init__(self, optimizer, device_placement=True, scaler=None):
        self.optimizer = optimizer

    def _is_due(self):
        return self._accelerator is None or self._accelerator.sync_gradients

    def step(self, closure=None):
        """Step the optimizer, if it is the end of an accumulation."""
        if self._is_due():
            self.optimizer.step(closure)

    def zero_grad(self, set_to_none=None):
        """Drop the gradients, if it is the end of an accumulation."""
        if self._is_due():
            self.optimizer.zero_grad(set_to_none is not False)

    def __getattr__(self, name):
        return getattr(self.optimizer, name)
