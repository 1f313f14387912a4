import torch
from torch import nn


class Detect(nn.Module):
    stride = None
    export = False

    def __init__(self, nc=2, anchors=((1.0, 2.0), (2.0, 1.0)), ch=(4, 4)):
        super().__init__()
        self.nc, self.no, self.nl, self.na = nc, nc + 5, len(ch), len(anchors)
        self.register_buffer("anchors", torch.tensor(anchors).float())
        self.m = nn.ModuleList(nn.Conv2d(x, self.no * self.na, 1) for x in ch)

    @staticmethod
    def _make_grid(nx=4, ny=4):
        yv, xv = torch.meshgrid([torch.arange(ny), torch.arange(nx)], indexing="ij")
        return torch.stack((xv, yv), 2).view((1, 1, ny, nx, 2)).float()

    def forward(self, x):
        z = []
        for i in range(self.nl):
            x[i] = self.m[i](x[i])
            bs, _, ny, nx = x[i].shape
            x[i] = x[i].view(bs, self.na, self.no, ny, nx).permute(0, 1, 3, 4, 2).contiguous()
            y = x[i].sigmoid()
            grid = self._make_grid(nx, ny)
            y[..., 0:2] = (y[..., 0:2] * 2.0 - 0.5 + grid) * self.stride[i]  # error: IP101
            y[..., 2:4] = (y[..., 2:4] * 2) ** 2 * self.anchors.view(1, self.na, 1, 1, 2)  # error: IP101
            z.append(y.view(bs, -1, self.no))
        return torch.cat(z, 1), x


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(3, 4, 3, 2, 1), nn.SiLU(inplace=True))
        self.down = nn.Sequential(nn.Conv2d(4, 4, 3, 2, 1), nn.SiLU(inplace=True))
        self.detect = Detect()
        self.detect.stride = torch.tensor([2.0, 4.0])

    def forward(self, x):
        a = self.stem(x)
        return self.detect([a, self.down(a)])


pred, raw = Model()(torch.rand(1, 3, 8, 8))
loss = pred[..., :4].mean() + sum(nn.functional.softplus(r[..., 4]).mean() for r in raw)
loss.backward()
