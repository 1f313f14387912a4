import torch
import torch.nn as nn
import torch.nn.functional as F


class Captioner(nn.Module):
    def __init__(self, cfg):
        super().__init__()
        self.visual = nn.Linear(cfg.visual_dim, cfg.hidden_dim)
        self.text = nn.Embedding(cfg.vocab, cfg.hidden_dim)
        self.fuse = nn.GRUCell(cfg.hidden_dim, cfg.hidden_dim)
        self.out = nn.Linear(cfg.hidden_dim, cfg.vocab)
        self.steps = cfg.num_steps

    def forward(self, batch):
        visual = torch.tanh(self.visual(batch["image_features"]))
        tokens = batch["tokens"]
        state = visual.mean(dim=1)
        losses = []
        for t in range(tokens.size(1) - 1):
            state = self.fuse(self.text(tokens[:, t]), state)
            losses.append(F.cross_entropy(self.out(state), tokens[:, t + 1]))
        visual += state.unsqueeze(1)  # confirmed, repaired: visual = visual + state.unsqueeze(1)
        return torch.stack(losses).mean() + visual.pow(2).mean()
