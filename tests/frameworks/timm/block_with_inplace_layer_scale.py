"""The in-place layer scale multiplies the tensor that the drop path's input, a tanh, has kept for its own
backward pass."""

import torch
from timm.layers import DropPath, LayerScale, Mlp
from timm.optim import create_optimizer_v2
from torch import nn


class Block(nn.Module):
    def __init__(self, dim, init_values=1e-2, drop_path=0.0):
        super().__init__()
        self.norm = nn.LayerNorm(dim)
        self.mlp = Mlp(dim, hidden_features=2 * dim, act_layer=nn.GELU)
        self.gate = nn.Tanh()
        self.scale = LayerScale(dim, init_values=init_values, inplace=True)
        self.drop_path = DropPath(drop_path) if drop_path > 0.0 else nn.Identity()

    def forward(self, x):
        return x + self.drop_path(self.scale(self.gate(self.mlp(self.norm(x)))))  # error: IP101


torch.manual_seed(0)
model = nn.Sequential(Block(6), nn.Linear(6, 2))
optimizer = create_optimizer_v2(model, opt="nadamw", lr=1e-3)
x, y = torch.randn(3, 4, 6), torch.randn(3, 4, 2)
loss = nn.functional.mse_loss(model(x), y)
optimizer.zero_grad()
loss.backward()
optimizer.step()
