import torch
import torch.nn.functional as F
from torch import nn


class SpectralConv1d(nn.Module):
    def __init__(self, channels, modes):
        super().__init__()
        self.modes = modes
        self.weight = nn.Parameter(torch.randn(channels, channels, modes, dtype=torch.cfloat) / channels)

    def forward(self, x):
        x_ft = torch.fft.rfft(x)
        out_ft = torch.zeros(x.shape[0], x.shape[1], x.size(-1) // 2 + 1, dtype=torch.cfloat)
        out_ft[:, :, : self.modes] = torch.einsum("bix,iox->box", x_ft[:, :, : self.modes], self.weight)
        power = out_ft.abs()
        out_ft = torch.cat([torch.zeros_like(out_ft[:, :, :1]), out_ft[:, :, 1:]], -1)
        return torch.fft.irfft(out_ft, n=x.size(-1)), power.mean()


class FNO1d(nn.Module):
    def __init__(self, modes=3, width=4):
        super().__init__()
        self.fc0 = nn.Linear(2, width)
        self.convs = nn.ModuleList([SpectralConv1d(width, modes) for _ in range(2)])
        self.ws = nn.ModuleList([nn.Conv1d(width, width, 1) for _ in range(2)])
        self.fc1 = nn.Linear(width, 1)

    def forward(self, x):
        grid = torch.linspace(0, 1, x.shape[1]).view(1, -1, 1).expand(x.shape[0], -1, -1)
        x = self.fc0(torch.cat([x, grid], -1)).permute(0, 2, 1)
        reg = 0.0
        for conv, w in zip(self.convs, self.ws):
            y, p = conv(x)
            x = F.gelu(y + w(x))
            reg += p
        return self.fc1(x.permute(0, 2, 1)), reg


model = FNO1d()
opt = torch.optim.Adam(model.parameters(), lr=1e-3)
for ep in range(2):
    out, reg = model(torch.randn(2, 8, 1))
    loss = F.mse_loss(out, torch.randn(2, 8, 1)) + 1e-4 * reg
    opt.zero_grad()
    loss.backward()
    opt.step()
