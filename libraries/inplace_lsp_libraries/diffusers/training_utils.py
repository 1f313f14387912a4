"""diffusers.training_utils: averages of weights, and weights of losses."""

import torch
from inplace_lsp.modelling import ignores

DESCRIBES = "diffusers 0.27 to 0.42"
_NUMBERS = "how fast the average follows says nothing of who is written"


class EMAModel:
    """Averages of parameters, which carry no graph."""

    @ignores("decay", "min_decay", "update_after_step", "use_ema_warmup", "inv_gamma", "power", "foreach", "model_cls",
             "model_config", "kwargs", because=_NUMBERS)  # fmt: skip
    def __init__(
        self, parameters, decay=0.9999, min_decay=0.0, update_after_step=0, use_ema_warmup=False, inv_gamma=1.0,
        power=2 / 3, foreach=False, model_cls=None, model_config=None, **kwargs,
    ):  # fmt: skip
        parameters = parameters.parameters() if isinstance(parameters, torch.nn.Module) else parameters
        self.shadow_params = [parameter.detach().clone() for parameter in parameters]
        self.temp_stored_params = []

    @torch.no_grad()
    def step(self, parameters):
        """Move the averages towards the parameters."""
        for average, parameter in zip(self.shadow_params, parameters, strict=False):
            average.lerp_(parameter, 0.5)

    def copy_to(self, parameters):
        """Put the averages into the parameters, through `.data`."""
        for average, parameter in zip(self.shadow_params, parameters, strict=False):
            parameter.data.copy_(average)

    def store(self, parameters):
        """Keep copies of the parameters."""
        self.temp_stored_params = [parameter.detach().clone() for parameter in parameters]

    def restore(self, parameters):
        """Put the copies back into the parameters, through `.data`."""
        for kept, parameter in zip(self.temp_stored_params, parameters, strict=False):
            parameter.data.copy_(kept)

    @ignores("device", "dtype", "non_blocking", because="where the averages lie says nothing of the parameters")
    def to(self, device=None, dtype=None, non_blocking=False):
        """Move the averages."""

    @ignores("path", because="files say nothing of graphs")
    def save_pretrained(self, path):
        """Write the averages to a file."""

    def state_dict(self):
        """Return the averages."""
        return {"shadow_params": self.shadow_params}

    @ignores("state_dict", because="the averages are others, without a graph as before")
    def load_state_dict(self, state_dict):
        """Read the averages."""


@ignores("noise_scheduler", "timesteps", because="the schedule carries no graph")
def compute_snr(noise_scheduler, timesteps):
    """Return the ratio of signal and noise: no graph."""
    return torch.empty(())
