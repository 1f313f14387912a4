"""The repeated class token is only read: the concatenation copies it, and the position embedding is added to
that copy in place."""

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
        self.pos_embedding = nn.Parameter(torch.randn(1, 5, dim))
        self.condition = nn.Linear(4, dim)
        self.dropout = nn.Dropout(0.1, inplace=True)
        self.head = nn.Linear(dim, classes)

    def forward(self, images, camera):
        x = self.to_patches(images)
        b, n, _ = x.shape
        cls = repeat(self.cls_token, "1 1 d -> b 1 d", b=b)
        cls = cls + rearrange(self.condition(camera), "b d -> b 1 d")
        x = torch.cat((cls, x), dim=1)
        x += self.pos_embedding[:, : n + 1]
        x = self.dropout(x)
        return self.head(x[:, 0])


model = ViT()
optimizer = torch.optim.AdamW(model.parameters())
for _ in range(2):
    images, camera, labels = torch.randn(2, 1, 4, 4), torch.randn(2, 4), torch.tensor([0, 2])
    loss = nn.functional.cross_entropy(model(images, camera), labels)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
