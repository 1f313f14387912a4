import torch
from torch import nn


class GradNorm(nn.Module):
    def __init__(self, tasks=2):
        super().__init__()
        self.shared = nn.Sequential(nn.Linear(4, 6), nn.ReLU(), nn.Linear(6, 6))
        self.heads = nn.ModuleList([nn.Linear(6, 1) for _ in range(tasks)])
        self.weights = nn.Parameter(torch.ones(tasks))

    def forward(self, x):
        h = torch.tanh(self.shared(x))
        return torch.stack([head(h).pow(2).mean() for head in self.heads])


model = GradNorm()
opt = torch.optim.Adam([p for n, p in model.named_parameters() if n != "weights"], lr=1e-2)
w_opt = torch.optim.Adam([model.weights], lr=1e-2)
for step in range(2):
    losses = model(torch.randn(5, 4))
    weighted = model.weights * losses
    opt.zero_grad()
    weighted.sum().backward(retain_graph=True)
    norms = torch.stack(
        [
            torch.autograd.grad(w, model.shared[0].weight, retain_graph=True, create_graph=True)[0].norm()
            for w in weighted
        ]
    )
    gn_loss = (norms - norms.mean().detach()).abs().sum()
    w_opt.zero_grad()
    model.weights.grad = torch.autograd.grad(gn_loss, model.weights)[0]
    opt.step()
    w_opt.step()
    model.weights.data = model.weights.data / model.weights.data.sum() * 2
