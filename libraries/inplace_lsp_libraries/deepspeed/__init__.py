"""deepspeed: an engine runs a module, walks back and steps."""

import torch
from inplace_lsp.modelling import ignores, is_true
from torch.nn import Module

DESCRIBES = "deepspeed 0.12 to 0.18"


class DeepSpeedEngine(Module):
    """Runs a module, walks back and steps."""

    def __init__(self, module, optimizer):
        super().__init__()
        self.__dict__["module"] = module
        self.optimizer = optimizer

    def _forward(self, *inputs, **kwargs):  # without a docstring: readers know it as their own module's
        return self.module(*inputs, **kwargs)

    forward = _forward

    @ignores("release_loss", "scale_wrt_gas", because="the loss is scaled into another tensor")
    def backward(self, loss, release_loss=False, retain_graph=False, scale_wrt_gas=True):
        """Walk back from the loss."""
        loss.backward(retain_graph=retain_graph)
        return loss

    @ignores("lr_kwargs", because="rates say nothing of who saves what")
    def step(self, lr_kwargs=None):
        """Step the optimizer, and drop the gradients."""
        self.optimizer.step()
        self.optimizer.zero_grad()

    def zero_grad(self):
        """Drop the gradients."""
        self.optimizer.zero_grad()

    def is_gradient_accumulation_boundary(self):
        """Tell whether the next step is one."""
        return True

    @ignores("save_dir", "more", "named", because="reading changes nothing")
    def save_checkpoint(self, save_dir, *more, **named):
        """Save a checkpoint."""

    def __getattr__(self, name):
        return getattr(self.module, name)


@ignores(
    "args", "distributed_port", "mpu", "dist_init_required", "collate_fn", "config", "mesh_param", "config_params",
    because="where it runs changes no graph",
)  # fmt: skip
def initialize(
    args=None, model=None, optimizer=None, model_parameters=None, training_data=None, lr_scheduler=None,
    distributed_port=29500, mpu=None, dist_init_required=None, collate_fn=None, config=None, mesh_param=None,
    config_params=None,
):  # fmt: skip
    """Make an engine of a module and its optimizer; without one, of the optimizer that the configuration names."""
    if optimizer is None:
        optimizer = torch.optim.AdamW(model.parameters() if model_parameters is None else model_parameters)
    elif is_true(callable(optimizer)):
        optimizer = optimizer(model.parameters() if model_parameters is None else model_parameters)
    return DeepSpeedEngine(model, optimizer), optimizer, training_data, lr_scheduler
