"""diffusers.schedulers: how much noise there is at each step; results are sums of the inputs, weighted by constants."""

import torch
from inplace_lsp.modelling import ignores
from transformers.configuration_utils import PretrainedConfig
from transformers.modeling_outputs import ModelOutput

DESCRIBES = "diffusers 0.27 to 0.42"
_SCHEDULE = "the schedule carries no graph"


class _Scheduler:
    """Adds noise, and takes some away step by step."""

    init_noise_sigma = 1.0

    @ignores("args", because=_SCHEDULE)
    def __init__(self, *args, **kwargs):
        self.config = PretrainedConfig(**kwargs)
        self.timesteps = torch.arange(2)
        self.sigmas = torch.empty(())
        self.alphas_cumprod = torch.empty(())

    @classmethod
    @ignores("args", because=_SCHEDULE)
    def from_pretrained(cls, *args, **kwargs):
        """Read the options."""
        return cls(**kwargs)

    from_config = from_pretrained

    @ignores("args", "kwargs", because=_SCHEDULE)
    def set_timesteps(self, *args, **kwargs):
        """Choose the steps."""

    @ignores("timesteps", because=_SCHEDULE)
    def add_noise(self, original_samples, noise, timesteps):
        """Add the noise."""
        return original_samples * self.alphas_cumprod + noise * self.alphas_cumprod

    def get_velocity(self, sample, noise, timesteps):
        """Subtract the sample from the noise."""
        return self.add_noise(noise, sample, timesteps)

    scale_noise = add_noise

    @ignores("args", "kwargs", because=_SCHEDULE)
    def scale_model_input(self, sample, *args, **kwargs):
        """Leave the sample as it is, as most schedules do."""
        return sample

    @ignores("timestep", "args", "kwargs", because=_SCHEDULE)
    def step(self, model_output, timestep, sample, *args, return_dict=True, **kwargs):
        """Take some of the noise away."""
        previous = self.add_noise(sample, model_output, timestep)
        if return_dict is False:
            return (previous,)
        original = self.add_noise(sample, model_output, timestep)
        return ModelOutput(prev_sample=previous, pred_original_sample=original)


def __getattr__(name):
    if name.endswith("Scheduler"):
        return _Scheduler
    raise AttributeError(name)
