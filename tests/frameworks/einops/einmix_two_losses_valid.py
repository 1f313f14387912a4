"""Both losses are walked backward before either optimizer steps, so the EinMix weights still hold what was kept
of them."""

import torch
from einops.layers.torch import EinMix
from torch import nn


def mixer(patches, dim):
    return nn.Sequential(
        nn.LayerNorm(dim),
        EinMix("b n d -> b m d", weight_shape="n m", bias_shape="m", n=patches, m=patches),
        nn.ReLU(inplace=True),
        EinMix("b n d -> b n e", weight_shape="d e", bias_shape="e", d=dim, e=dim),
    )


torch.manual_seed(0)
shared, head = mixer(4, 8), EinMix("b n d -> b c", weight_shape="n d c", bias_shape="c", n=4, d=8, c=3)
mixer_optimizer = torch.optim.Adam(shared.parameters())
head_optimizer = torch.optim.Adam(head.parameters())

for _ in range(2):
    patches, labels = torch.randn(2, 4, 8), torch.tensor([0, 2])
    hidden = shared(patches)
    class_loss = nn.functional.cross_entropy(head(hidden), labels)
    smooth_loss = (hidden - patches).square().mean()

    mixer_optimizer.zero_grad()
    head_optimizer.zero_grad()
    smooth_loss.backward(retain_graph=True)
    class_loss.backward()
    mixer_optimizer.step()
    head_optimizer.step()
