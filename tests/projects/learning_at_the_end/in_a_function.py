"""The same, without objects; and with all episodes in one list."""

import torch
from torch import nn


def play_one(environment):
    policy = nn.Linear(3, 1)
    state, kept, done = environment.reset(), [], False
    while not done:
        kept.append(policy(state).exp())
        state, _, done = environment.step(0)
        if done:
            torch.cat(kept).sum().backward()


def play_several(environment, episodes):
    policy = nn.Linear(3, 1)
    kept = []
    for _ in range(episodes):
        state, done = environment.reset(), False
        while not done:
            kept.append(policy(state).exp())
            state, _, done = environment.step(0)
            if done:
                torch.cat(kept).sum().backward()  # error: IP103
