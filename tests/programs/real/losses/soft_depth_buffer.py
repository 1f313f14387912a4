import torch
from torch import nn


class SoftRenderer(nn.Module):
    def __init__(self, size=4, sigma=0.1):
        super().__init__()
        lin = torch.linspace(-1, 1, size)
        gy, gx = torch.meshgrid(lin, lin, indexing="ij")
        self.register_buffer("grid", torch.stack([gx, gy], -1), persistent=False)
        self.sigma = sigma

    def coverage(self, center, radius):
        d = (self.grid - center).norm(dim=-1)
        return torch.sigmoid((radius - d) / self.sigma)

    def forward(self, centers, radii, depth, colors):
        size = self.grid.shape[0]
        image = torch.zeros(size, size, 3)
        zbuf = torch.full((size, size), 10.0)
        for c, r, z, col in zip(centers, radii, depth, colors):
            cov = self.coverage(c, r)
            closer = torch.sigmoid((zbuf - z) * 10)
            a = cov * closer
            image = image * (1 - a[..., None]) + a[..., None] * col
            zbuf[:] = zbuf * (1 - a) + z * a  # error: IP101
        return image, zbuf


centers = nn.Parameter(torch.rand(3, 2) - 0.5)
radii = nn.Parameter(torch.full((3,), 0.4))
depth = nn.Parameter(torch.rand(3))
colors = torch.rand(3, 3)
renderer = SoftRenderer()
optimizer = torch.optim.Adam([centers, radii, depth], lr=0.05)
reference = torch.rand(4, 4, 3)
for _ in range(2):
    optimizer.zero_grad()
    image, z = renderer(centers, radii, depth, colors)
    ((image - reference) ** 2).sum().backward()
    optimizer.step()
    with torch.no_grad():
        radii.clamp_(0.05, 0.8)
