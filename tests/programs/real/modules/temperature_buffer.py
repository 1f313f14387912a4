import torch
import torch.nn as nn
import torch.nn.functional as F


class GumbelGate(nn.Module):
    def __init__(self, n=4):
        super().__init__()
        self.logits = nn.Parameter(torch.zeros(n, 2))
        self.register_buffer("tau", torch.tensor(1.0))

    def forward(self, x):
        g = -torch.log(-torch.log(torch.rand_like(self.logits) + 1e-9) + 1e-9)
        soft = F.softmax((self.logits + g) / self.tau, dim=-1)
        hard = torch.zeros_like(soft).scatter_(-1, soft.argmax(-1, keepdim=True), 1.0)
        gate = hard - soft.detach() + soft
        self.anneal()
        return x * gate[:, 1]

    def anneal(self, rate=0.9):
        self.tau.mul_(rate).clamp_(min=0.1)  # error: IP101


gate, head = GumbelGate(), nn.Linear(4, 1)
opt = torch.optim.Adam([*gate.parameters(), *head.parameters()])
for x in torch.randn(3, 5, 4):
    loss = head(gate(x)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
