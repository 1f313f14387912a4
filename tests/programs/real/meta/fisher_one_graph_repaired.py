import torch
import torch.nn.functional as F
from torch import nn


class EWC:
    def __init__(self, model, data):
        self.model = model
        self.params = {n: p for n, p in model.named_parameters() if p.requires_grad}
        self.means = {n: p.data.clone() for n, p in self.params.items()}
        self.fisher = self._diag(data)

    def _diag(self, data):
        fisher = {n: torch.zeros_like(p) for n, p in self.params.items()}
        for i in range(len(data)):
            self.model.zero_grad()
            log_probs = F.log_softmax(self.model(data[i : i + 1]), dim=1)
            loss = -log_probs[0].max()
            loss.backward()
            for n, p in self.params.items():
                fisher[n] += p.grad.data**2 / len(data)
        return fisher

    def penalty(self):
        return sum((self.fisher[n] * (p - self.means[n]) ** 2).sum() for n, p in self.params.items())


net = nn.Sequential(nn.Linear(3, 5), nn.ReLU(), nn.Linear(5, 2))
ewc = EWC(net, torch.randn(4, 3))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(2):
    opt.zero_grad()
    loss = F.cross_entropy(net(torch.randn(4, 3)), torch.randint(0, 2, (4,))) + ewc.penalty()
    loss.backward()
    opt.step()
