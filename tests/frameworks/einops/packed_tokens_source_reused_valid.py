"""Packing copies its tensors, even a single one, so the class token's projection may be overwritten after it
was packed."""

import torch
from einops import pack, rearrange, unpack
from torch import nn

torch.manual_seed(0)
dim = 8
image_tokens = nn.Conv2d(1, dim, 2, stride=2)
camera = nn.Linear(3, dim)
encoder = nn.Sequential(nn.LayerNorm(dim), nn.Linear(dim, dim), nn.Tanh())
classifier = nn.Linear(dim, 3)
modules = nn.ModuleList([image_tokens, camera, encoder, classifier])
optimizer = torch.optim.Adam(modules.parameters())

for _ in range(2):
    images, pose, labels = torch.randn(2, 1, 4, 4), torch.randn(2, 3), torch.tensor([1, 2])
    patches = rearrange(image_tokens(images), "b c h w -> b h w c")
    token = camera(pose)
    packed, shapes = pack([token, patches], "b * c")
    token.zero_()
    patches.clamp_(min=0)
    cls, encoded = unpack(encoder(packed), shapes, "b * c")
    encoded = encoded - encoded.mean(dim=(1, 2), keepdim=True)
    loss = nn.functional.cross_entropy(classifier(cls + token), labels) + 0.1 * (encoded * patches).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
