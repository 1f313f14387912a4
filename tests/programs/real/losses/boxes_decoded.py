import torch
import torch.nn as nn
import torch.nn.functional as F


class Detect(nn.Module):
    def __init__(self, classes=2, anchors=((1.0, 1.0), (2.0, 2.0))):
        super().__init__()
        self.no = classes + 5
        self.register_buffer("anchors", torch.tensor(anchors))
        self.m = nn.Conv2d(4, self.no * len(anchors), 1)

    def forward(self, x):
        b, _, h, w = x.shape
        y = self.m(x).view(b, -1, self.no, h, w).permute(0, 1, 3, 4, 2).sigmoid()
        y[..., 0:2] = y[..., 0:2] * 2 - 0.5  # error: IP101
        y[..., 2:4] = (y[..., 2:4] * 2) ** 2 * self.anchors.view(1, -1, 1, 1, 2)  # error: IP101
        return y


backbone = nn.Sequential(nn.Conv2d(3, 4, 3, padding=1), nn.SiLU(inplace=True))
head = Detect()
opt = torch.optim.SGD([*backbone.parameters(), *head.parameters()], lr=0.01)
for _ in range(2):
    pred = head(backbone(torch.rand(1, 3, 4, 4)))
    loss = F.mse_loss(pred[..., :4], torch.rand_like(pred[..., :4])) + pred[..., 4].mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
