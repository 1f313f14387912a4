"""Features in dicts are updated by key, padded and masked in place before anything keeps them."""

import torch
from torch import nn


def prepare(batch):
    batch = dict(batch)
    batch["dense"] = batch["dense"].float()
    batch["dense"][torch.isnan(batch["dense"])] = 0.0
    batch["ids"] %= 10
    batch["mask"] = torch.ones_like(batch["ids"], dtype=torch.float)
    batch["mask"][:, -1] = 0
    return batch


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.emb = nn.Embedding(10, 4, padding_idx=0)
        self.mlp = nn.Sequential(nn.Linear(7, 8), nn.ReLU(inplace=True), nn.Linear(8, 1))

    def forward(self, batch):
        e = self.emb(batch["ids"])
        e = e * batch["mask"].unsqueeze(-1)
        pooled = e.sum(1)
        pooled /= batch["mask"].sum(1, keepdim=True)
        return self.mlp(torch.cat([pooled, batch["dense"]], dim=1))


raw = {"dense": torch.tensor([[1.0, float("nan"), 2.0]] * 2), "ids": torch.randint(0, 30, (2, 3))}
model = Model()
model(prepare(raw)).sum().backward()
