import torch
from torch import nn


class TDLambda:
    def __init__(self, net, lr=0.05, gamma=0.9, lam=0.8):
        self.net, self.lr, self.gamma, self.lam = net, lr, gamma, lam
        self.traces = [torch.zeros_like(p) for p in net.parameters()]

    def update(self, v, target):
        self.net.zero_grad()
        v.backward()
        with torch.no_grad():
            delta = (target - v).item()
            for p, e in zip(self.net.parameters(), self.traces):
                e.mul_(self.gamma * self.lam).add_(p.grad)
                p.add_(self.lr * delta * e)  # error: IP101


net = nn.Sequential(nn.Linear(3, 4), nn.Sigmoid(), nn.Linear(4, 1))
agent = TDLambda(net)
state = torch.randn(3)
value = net(state).squeeze()
for t in range(3):
    next_state = torch.randn(3)
    next_value = net(next_state).squeeze()
    agent.update(value, torch.rand(()) + 0.9 * next_value.detach())
    state, value = next_state, next_value
