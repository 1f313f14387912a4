"""timm.utils: averaged models and clipped gradients."""

import copy

from inplace_lsp.modelling import ignores, update
from torch import nn
from torch.amp import GradScaler

DESCRIBES = "timm 1.0"

_NUMBERS = "how much of the new weights is taken does not matter"


class NativeScaler:
    """Walks back from the scaled loss, clips, and steps the optimizer."""

    @ignores("device", because="tensors are judged alike on all devices")
    def __init__(self, device="cuda"):
        self._scaler = GradScaler()

    @ignores("clip_mode", because="gradients are written, however they are clipped")
    def __call__(
        self,
        loss,
        optimizer,
        clip_grad=None,
        clip_mode="norm",
        parameters=None,
        create_graph=False,
        need_update=True,
    ):
        self._scaler.scale(loss).backward(create_graph=create_graph)
        if need_update:
            if clip_grad is not None:
                self._scaler.unscale_(optimizer)
                nn.utils.clip_grad_norm_(parameters, clip_grad)
            self._scaler.step(optimizer)
            self._scaler.update()


class ModelEmaV2(nn.Module):
    """A copy of a model whose weights follow it."""

    @ignores("decay", "device", because=_NUMBERS)
    def __init__(self, model, decay=0.9999, device=None):
        super().__init__()
        self.module = copy.deepcopy(model)
        self.module.eval()

    @ignores("model", because=_NUMBERS)
    def update(self, model):
        """Write the averaged weights."""
        update(self.module.state_dict(), "ModelEma.update")

    @ignores("model", because=_NUMBERS)
    def set(self, model):
        """Write the averaged weights."""
        update(self.module.state_dict(), "ModelEma.set")

    def forward(self, *args, **kwargs):
        """Run the averaged model."""
        return self.module(*args, **kwargs)


class ModelEmaV3(ModelEmaV2):
    """A copy of a model whose weights follow it, and need no gradients."""

    @ignores(
        "decay",
        "min_decay",
        "update_after_step",
        "use_warmup",
        "warmup_gamma",
        "warmup_power",
        "device",
        "dtype",
        "stochastic_rounding",
        "stochastic_rounding_seed",
        "foreach",
        "exclude_buffers",
        because=_NUMBERS,
    )
    def __init__(
        self,
        model,
        decay=0.9999,
        min_decay=0.0,
        update_after_step=0,
        use_warmup=False,
        warmup_gamma=1.0,
        warmup_power=2 / 3,
        device=None,
        dtype=None,
        stochastic_rounding=True,
        stochastic_rounding_seed=0,
        foreach=True,
        exclude_buffers=False,
    ):
        super().__init__(model)
        self.module.requires_grad_(False)

    @ignores("step", because=_NUMBERS)
    def update(self, model, step=None):
        """Write the averaged weights."""
        super().update(model)


@ignores("mode", "norm_type", because="gradients are clipped in place either way")
def dispatch_clip_grad(parameters, value, mode="norm", norm_type=2.0):
    """Clip the gradients."""
    nn.utils.clip_grad_norm_(parameters, value)
