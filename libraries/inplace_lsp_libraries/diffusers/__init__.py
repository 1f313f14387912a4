"""diffusers: networks, schedules of noise, averages of weights."""

from diffusers import models, schedulers
from diffusers.models import ModelMixin
from inplace_lsp.modelling import data, ignores

DESCRIBES = "diffusers 0.27 to 0.42"


class ConfigMixin:
    """A class with options."""


class _Pipeline:
    """Makes images without gradients."""

    @ignores("args", "kwargs", because="files say nothing of graphs")
    @classmethod
    def from_pretrained(cls, *args, **kwargs):
        """Read the networks."""
        return cls()

    def __init__(self, **kwargs):
        self.unet = kwargs.get("unet", models._Network())
        self.vae = kwargs.get("vae", models._Autoencoder())
        self.scheduler = kwargs.get("scheduler", schedulers._Scheduler())

    @ignores("args", "kwargs", because="no gradient is computed")
    def __call__(self, *args, **kwargs):
        """Make images."""
        return data("images")

    @ignores("args", "kwargs", because="where the weights lie says nothing of graphs")
    def to(self, *args, **kwargs):
        """Move the networks."""
        return self


def __getattr__(name):
    if name.endswith("Pipeline"):
        return _Pipeline
    if name.endswith("Scheduler"):
        return schedulers._Scheduler
    return models.__getattr__(name)
