"""diffusers.models: networks from a sample with noise to what the noise is, and autoencoders."""

import torch
from inplace_lsp.modelling import ignores
from torch import nn
from torch.nn import functional as F
from transformers.modeling_outputs import ModelOutput
from transformers.modeling_utils import PreTrainedModel

DESCRIBES = "diffusers 0.27 to 0.42"


class ModelMixin(PreTrainedModel):
    """A module with a configuration."""

    def __init__(self):
        super().__init__(None)

    @ignores("gradient_checkpointing_func", because="what is computed again is the same")
    def enable_gradient_checkpointing(self, gradient_checkpointing_func=None):
        """Compute the layers again at backward."""

    @ignores("pretrained_model_name_or_path", because="files say nothing of graphs")
    @classmethod
    def from_pretrained(cls, pretrained_model_name_or_path, **kwargs):
        """Build the network and read its weights."""
        return cls(**kwargs).eval()


class _Network(ModelMixin):
    """Convolutions, and in the middle of them what is made of the time and the condition."""

    @ignores("args", "kwargs", because="sizes say nothing of graphs")
    def __init__(self, *args, **kwargs):
        super().__init__()
        self.conv_in = nn.Conv2d(1, 1, 1)
        self.time_embedding = nn.Linear(1, 1)
        self.condition = nn.Linear(1, 1)
        self.conv_out = nn.Conv2d(1, 1, 1)

    @ignores("timestep", "args", "kwargs", because="the time carries no graph")
    def forward(self, sample, timestep=None, encoder_hidden_states=None, *args, return_dict=True, **kwargs):
        """Predict the noise."""
        hidden = self.conv_in(sample) + self.time_embedding(torch.empty(()))
        if encoder_hidden_states is not None:
            hidden = hidden * self.condition(encoder_hidden_states)
        result = self.conv_out(F.silu(hidden))
        return (result,) if return_dict is False else ModelOutput(sample=result)

    def __getattr__(self, name):
        if name in ("down_blocks", "up_blocks", "transformer_blocks"):
            return [self.conv_in]
        if name in ("mid_block", "proj_in"):
            return self.conv_in
        raise AttributeError(name)


class _Distribution:
    """A normal distribution of latents."""

    def __init__(self, mean, std):
        self.mean, self.std = mean, std

    @ignores("generator", because="random numbers have no graph")
    def sample(self, generator=None):
        """Draw latents."""
        return self.mean + self.std * torch.empty(())

    def mode(self):
        """Return the mean."""
        return self.mean

    @ignores("other", because="a distance is one to any distribution")
    def kl(self, other=None):
        """Return the distance of the distribution from the standard one."""
        return 0.5 * (self.mean.pow(2) + self.std.pow(2)).sum()


class _Autoencoder(ModelMixin):
    """Images to latents and back."""

    @ignores("args", "kwargs", because="sizes say nothing of graphs")
    def __init__(self, *args, **kwargs):
        super().__init__()
        self.encoder = nn.Conv2d(1, 1, 1)
        self.decoder = nn.Conv2d(1, 1, 1)

    def encode(self, x, return_dict=True):
        """Encode the images."""
        moments = self.encoder(x)
        mean, logvar = torch.chunk(moments, 2, dim=1)
        latents = _Distribution(mean, torch.exp(0.5 * logvar))
        return (latents,) if return_dict is False else ModelOutput(latent_dist=latents, latents=moments)

    @ignores("generator", because="random numbers have no graph")
    def decode(self, z, return_dict=True, generator=None):
        """Decode the latents."""
        result = self.decoder(z)
        return (result,) if return_dict is False else ModelOutput(sample=result)

    @ignores("generator", because="random numbers have no graph")
    def forward(self, sample, sample_posterior=False, return_dict=True, generator=None):
        """Encode and decode the images."""
        latents = self.encode(sample).latent_dist
        return self.decode(latents.sample() if sample_posterior else latents.mode(), return_dict)


def __getattr__(name):
    if name.startswith(("Autoencoder", "VQModel", "AsymmetricAutoencoder")):
        return _Autoencoder
    if name.endswith(("Model", "Transformer2DModel")) or name.startswith("ControlNet"):
        return _Network
    raise AttributeError(name)
