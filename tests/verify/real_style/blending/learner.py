import torch
from torch import nn
from torch.utils.tensorboard import SummaryWriter

from .mixing import blend


class Learner:
    def __init__(self, width, log_folder):
        self.net = nn.Linear(width, width)
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=0.1)
        self.writer = SummaryWriter(log_folder)

    def learn(self, x):
        self.optimizer.zero_grad()
        hidden = self.net(x).sigmoid()
        loss = blend(hidden, x).pow(2).mean()
        loss.backward()
        self.optimizer.step()
        self.writer.add_scalar("loss", loss.item())
