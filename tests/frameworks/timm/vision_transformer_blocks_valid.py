"""Blocks from timm with layer scale; accumulation of features in a list, averaged in place on a clone."""

import torch
from timm.layers import PatchEmbed
from timm.models.vision_transformer import Block
from torch import nn


class Net(nn.Module):
    def __init__(self, dim=8):
        super().__init__()
        self.patch_embed = PatchEmbed(img_size=8, patch_size=4, embed_dim=dim)
        self.pos = nn.Parameter(torch.zeros(1, self.patch_embed.num_patches, dim))
        self.blocks = nn.Sequential(*[Block(dim, num_heads=2, init_values=1e-5, drop_path=0.1) for _ in range(2)])
        self.norm = nn.LayerNorm(dim)

    def forward(self, x):
        x = self.patch_embed(x)
        x += self.pos
        feats = []
        for blk in self.blocks:
            x = blk(x)
            feats.append(x.mean(1))
        total = feats[0].clone()
        for f in feats[1:]:
            total += f
        return self.norm(total / len(feats))


Net()(torch.randn(2, 3, 8, 8)).mean().backward()
