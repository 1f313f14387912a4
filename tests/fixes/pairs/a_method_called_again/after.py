# unsafe: Compute `self.forward()` again after the step (computed with the new parameters)
import torch
from torch import nn

torch.manual_seed(0)
x = torch.rand(4, requires_grad=True)

class Trainer:
    def __init__(self):
        self.net = nn.Sequential(nn.Linear(4, 3), nn.Tanh(), nn.Linear(3, 2))
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.1)

    def forward(self):
        self.out = self.net(x)
        self.first, self.last = self.out[0], self.out[1]

    def update(self):
        self.forward()
        self.opt.zero_grad()
        self.first.backward(retain_graph=True)
        self.opt.step()
        self.forward()
        self.last.backward()
        self.opt.step()


trainer = Trainer()
for _ in range(3):
    trainer.update()
