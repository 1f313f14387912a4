import torch
import torch.nn as nn


class Trainer:
    def __init__(self, learning_rate):
        self.learning_rate = learning_rate
        self.net = None
        self.optimizer = None

    def build(self, width):
        self.net = nn.Sequential(nn.Linear(width, width), nn.ReLU(), nn.Linear(width, width))
        self.optimizer = torch.optim.SGD(self.net.parameters(), lr=self.learning_rate)

    def train_step(self, x):
        net = self.net
        self.optimizer.zero_grad()
        hidden = net(x).sigmoid()
        hidden.mul_(0.5)  # confirmed, repaired: hidden = hidden * 0.5
        hidden.sum().backward()
        self.optimizer.step()
