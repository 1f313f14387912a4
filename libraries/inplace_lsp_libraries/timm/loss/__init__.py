"""timm.loss: losses of logits."""

import torch
from torch import nn
from torch.nn import functional

DESCRIBES = "timm 1.0"


class LabelSmoothingCrossEntropy(nn.Module):
    """A cross entropy with some weight on all classes."""

    def __init__(self, smoothing=0.1):
        super().__init__()
        self.smoothing = smoothing

    def forward(self, x, target):
        """Compare logits with classes."""
        logprobs = functional.log_softmax(x, dim=-1)
        nll = -logprobs.gather(dim=-1, index=target.unsqueeze(1)).squeeze(1)
        return ((1 - self.smoothing) * nll + self.smoothing * -logprobs.mean(dim=-1)).mean()


class SoftTargetCrossEntropy(nn.Module):
    """A cross entropy with probabilities."""

    def forward(self, x, target):
        """Compare logits with probabilities."""
        return torch.sum(-target * functional.log_softmax(x, dim=-1), dim=-1).mean()
