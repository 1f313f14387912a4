"""A subclass of timm's vision transformer writes what its last block has given after a probe has saved it."""

import torch
from timm.models.vision_transformer import VisionTransformer
from torch import nn


class Probed(VisionTransformer):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.probe = nn.Linear(self.embed_dim, 1)

    def forward_features(self, x, attn_mask=None, is_causal=False):
        x = self._pos_embed(self.patch_embed(x))
        for block in self.blocks:
            x = block(x)
        tokens = self.norm(x)
        scores = self.probe(tokens)
        tokens += scores.sigmoid()  # error: IP101
        return tokens


net = Probed(img_size=8, patch_size=4, embed_dim=8, depth=2, num_heads=2, num_classes=2)
net(torch.randn(2, 3, 8, 8)).sum().backward()
