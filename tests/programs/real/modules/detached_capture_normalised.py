"""A hook stores a detached activation; normalising it in place changes what the graph kept."""

import torch
import torch.nn as nn


class Extractor:
    def __init__(self, model, layers):
        self.features = {}
        for name in layers:
            layer = dict(model.named_modules())[name]
            layer.register_forward_hook(self.save(name))

    def save(self, name):
        def fn(_, __, output):
            self.features[name] = output.detach()

        return fn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(4, 6)
        self.act = nn.Tanh()
        self.fc2 = nn.Linear(6, 2)

    def forward(self, x):
        return self.fc2(self.act(self.fc1(x)))


net = Net()
ex = Extractor(net, ["act"])
loss = net(torch.randn(2, 4)).sum()
feat = ex.features["act"]
feat /= feat.norm(dim=1, keepdim=True)  # error: IP101
print(feat.mean().item())
loss.backward()
