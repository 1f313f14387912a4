"""The adversary guesses again after its step."""

import torch
from torch import nn

predictor = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
adversary = nn.Sequential(nn.Linear(1, 4), nn.ReLU(), nn.Linear(4, 1))
opt_predictor = torch.optim.Adam(predictor.parameters(), lr=0.01)
opt_adversary = torch.optim.Adam(adversary.parameters(), lr=0.01)
loss_of = nn.BCEWithLogitsLoss()
for _ in range(2):
    x, y, z = torch.randn(6, 4), torch.rand(6, 1), torch.rand(6, 1)
    logits = predictor(x)
    guess = adversary(logits)
    loss_adversary = loss_of(guess, z)
    opt_adversary.zero_grad()
    loss_adversary.backward(retain_graph=True)
    opt_adversary.step()
    guess = adversary(logits)
    loss_adversary = loss_of(guess, z)
    opt_predictor.zero_grad()
    loss_predictor = loss_of(logits, y) - 0.5 * loss_adversary
    loss_predictor.backward()
    opt_predictor.step()
