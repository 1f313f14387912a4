import torch
from torch import nn


class PointerTSP(nn.Module):
    def __init__(self, dim=4):
        super().__init__()
        self.embed = nn.Linear(2, dim)
        self.cell = nn.LSTMCell(dim, dim)
        self.query = nn.Linear(dim, dim, bias=False)

    def forward(self, cities):
        B, N, _ = cities.shape
        emb = self.embed(cities)
        visited = torch.zeros(B, N, dtype=torch.bool)
        h = c = emb.mean(1)
        x = torch.zeros_like(h)
        logps, tour = [], torch.zeros(B, N, dtype=torch.long)
        for i in range(N):
            h, c = self.cell(x, (h, c))
            logits = torch.einsum("bd,bnd->bn", self.query(h), emb)
            logits[visited.clone()] = -torch.inf
            dist = torch.distributions.Categorical(logits=logits)
            pick = dist.sample()
            logps.append(dist.log_prob(pick))
            visited = visited.scatter(1, pick[:, None], True)
            tour[:, i] = pick
            x = emb[torch.arange(B), pick]
        return tour, torch.stack(logps, 1).sum(1)


def length(cities, tour):
    ordered = cities.gather(1, tour.unsqueeze(-1).expand(-1, -1, 2))
    return (ordered - ordered.roll(-1, 1)).norm(dim=-1).sum(-1)


model = PointerTSP()
opt = torch.optim.Adam(model.parameters())
baseline = torch.zeros(())
for _ in range(2):
    cities = torch.rand(2, 3, 2)
    tour, logp = model(cities)
    cost = length(cities, tour)
    baseline.mul_(0.9).add_(cost.mean(), alpha=0.1)
    loss = ((cost - baseline) * logp).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
