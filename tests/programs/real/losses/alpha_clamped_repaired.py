import torch
from torch import nn


class NeRF(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(3, 8), nn.ReLU(), nn.Linear(8, 4))

    def forward(self, pts):
        raw = self.net(pts)
        return torch.sigmoid(raw[..., :3]), torch.relu(raw[..., 3])


def render(model, origins, dirs, n=5):
    t = torch.linspace(0.1, 1, n)
    rgb, sigma = model(origins[:, None] + dirs[:, None] * t[None, :, None])
    alpha = 1.0 - torch.exp(-sigma * 0.2)
    trans = torch.cumprod(1.0 - alpha + 1e-10, -1)
    trans = torch.roll(trans, 1, -1)
    trans[:, 0] = 1.0
    weights = alpha * trans
    depth = (weights * t).sum(-1)
    opacity = alpha.clamp(max=0.99).mean()
    return (weights[..., None] * rgb).sum(1), depth, opacity


model = NeRF()
opt = torch.optim.Adam(model.parameters(), lr=5e-4)
for _ in range(2):
    rgb, depth, opacity = render(model, torch.zeros(4, 3), torch.randn(4, 3))
    loss = (rgb - 0.5).pow(2).mean() + 0.01 * depth.mean() + 0.01 * opacity
    opt.zero_grad()
    loss.backward()
    opt.step()
