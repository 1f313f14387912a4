"""Repeating the class token along a new axis only makes an expanded view of the parameter, and torch refuses to
write a view of a leaf."""

import torch
from einops import rearrange, repeat
from einops.layers.torch import Rearrange
from torch import nn


class ViT(nn.Module):
    def __init__(self, patch=2, dim=8, classes=3):
        super().__init__()
        self.to_patches = nn.Sequential(
            Rearrange("b c (h p1) (w p2) -> b (h w) (p1 p2 c)", p1=patch, p2=patch),
            nn.Linear(patch * patch, dim),
        )
        self.cls_token = nn.Parameter(torch.randn(1, 1, dim))
        self.condition = nn.Linear(4, dim)
        self.head = nn.Linear(dim, classes)

    def forward(self, images, camera):
        x = self.to_patches(images)
        cls = repeat(self.cls_token, "1 1 d -> b 1 d", b=x.shape[0])
        cls += rearrange(self.condition(camera), "b d -> b 1 d")  # error: IP202
        x = torch.cat((cls, x), dim=1)
        return self.head(x[:, 0])


model = ViT()
optimizer = torch.optim.AdamW(model.parameters())
images, camera, labels = torch.randn(2, 1, 4, 4), torch.randn(2, 4), torch.tensor([0, 2])
loss = nn.functional.cross_entropy(model(images, camera), labels)
loss.backward()
optimizer.step()
