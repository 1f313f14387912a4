"""The whole sets a flag of all its dropouts."""

from backbone import build_backbone
from parts import Mixer, PlainMixer
from torch import nn


class Detector(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = build_backbone(8)
        self.mixer = Mixer(8)
        for module in self.modules():
            if isinstance(module, nn.ReLU) or isinstance(module, nn.Dropout):
                module.inplace = True

    def forward(self, x):
        return self.mixer(self.backbone(x))


class Plain(nn.Module):
    def __init__(self):
        super().__init__()
        self.backbone = build_backbone(8)
        self.mixer = PlainMixer(8)
        for module in self.modules():
            if isinstance(module, nn.ReLU) or isinstance(module, nn.Dropout):
                module.inplace = True

    def forward(self, x):
        return self.mixer(self.backbone(x))
