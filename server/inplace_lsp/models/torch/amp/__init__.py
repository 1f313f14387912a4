"""torch.amp: a loss is scaled before its backward, so that small gradients are no zeros in half precision."""

import torch

from inplace_lsp.modelling import ignores

DESCRIBES = "torch 2.13"


class GradScaler:
    """Scales losses by a factor it keeps, and steps optimizers unless a gradient is infinite."""

    @ignores(
        "device",
        "init_scale",
        "growth_factor",
        "backoff_factor",
        "growth_interval",
        because="the factor's value and place say nothing of who saves it",
    )
    def __init__(
        self,
        device="cuda",
        init_scale=65536.0,
        growth_factor=2.0,
        backoff_factor=0.5,
        growth_interval=2000,
        enabled=True,
    ):
        self._enabled = enabled
        self._scale = torch.empty(())

    def scale(self, outputs):
        """Multiply the losses by the factor."""
        if not self._enabled:
            return outputs
        if isinstance(outputs, (list, tuple)):
            return type(outputs)([self.scale(output) for output in outputs])
        return outputs * self._scale

    def step(self, optimizer, *args, **kwargs):
        """Step the optimizer."""
        return optimizer.step(*args, **kwargs)

    @ignores("optimizer", because="gradients are divided by the factor, of which a next backward makes new ones")
    def unscale_(self, optimizer):
        """Divide the gradients by the factor."""

    @ignores("new_scale", because="the factor is replaced, no tensor is written")
    def update(self, new_scale=None):
        """Choose the next factor."""
        self._scale = torch.empty(())

    def is_enabled(self):
        """Tell whether anything is scaled."""
        return self._enabled
