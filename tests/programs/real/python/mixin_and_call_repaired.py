"""It returns a new tensor."""

import torch
from torch import nn


class SmoothingMixin:
    smoothing = 0.1

    def postprocess(self, p):
        return p * (1 - self.smoothing) + self.smoothing / p.size(-1)


class Predictor(SmoothingMixin):
    def __init__(self, net):
        self.net = net

    def __call__(self, x):
        return self.postprocess(self.net(x).softmax(dim=-1))


net = nn.Linear(4, 3)
predict = Predictor(net)
(-predict(torch.randn(5, 4))[:, 0].log()).mean().backward()
