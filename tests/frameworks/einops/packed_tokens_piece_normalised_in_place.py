"""The unpacked pieces are views of the encoder's result, so writing one spoils what the layer norm and the
classifier keep."""

import torch
from einops import pack, rearrange, unpack
from torch import nn

torch.manual_seed(0)
dim = 8
image_tokens = nn.Conv2d(1, dim, 2, stride=2)
class_token = nn.Parameter(torch.randn(2, dim))
encoder = nn.Sequential(nn.LayerNorm(dim), nn.Linear(dim, dim), nn.Tanh())
classifier = nn.Linear(dim, 3)
optimizer = torch.optim.Adam([class_token, *image_tokens.parameters(), *encoder.parameters(), *classifier.parameters()])

for _ in range(2):
    images, labels = torch.randn(2, 1, 4, 4), torch.tensor([1, 2])
    patches = rearrange(image_tokens(images), "b c h w -> b h w c")
    packed, shapes = pack([class_token, patches], "b * c")
    cls, patches = unpack(encoder(packed), shapes, "b * c")
    logits = classifier(cls)
    patches -= patches.mean(dim=(1, 2), keepdim=True)  # error: IP101
    loss = nn.functional.cross_entropy(logits, labels) + 0.1 * patches.square().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
