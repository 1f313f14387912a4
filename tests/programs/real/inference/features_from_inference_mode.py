"""Features extracted under inference mode are fed to a trainable head."""

import torch
from torch import nn


class FrozenBackbone(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(4, 8), nn.ReLU())

    @torch.inference_mode()
    def extract(self, x):
        return self.net(x)

    @torch.no_grad()
    def extract_plain(self, x):
        return self.net(x)


backbone, head = FrozenBackbone().eval(), nn.Linear(8, 2)
opt = torch.optim.SGD(head.parameters(), lr=0.1)
x, y = torch.randn(5, 4), torch.randint(0, 2, (5,))
feats = backbone.extract(x)
logits = head(feats)  # error: IP206
loss = nn.functional.cross_entropy(logits, y)
opt.zero_grad()
loss.backward()
opt.step()
