"""Recurrent PPO zeroes the states of finished episodes in place between steps of an LSTM cell, which keeps its inputs, and detaches them per chunk."""

from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.distributions import Categorical


class State(NamedTuple):
    h: Tensor
    c: Tensor

    @classmethod
    def zeros(cls, batch: int, size: int) -> "State":
        return cls(torch.zeros(batch, size), torch.zeros(batch, size))

    def detach_(self) -> "State":
        for part in self:
            part.detach_()
        return self


class RecurrentPolicy(nn.Module):
    def __init__(self, obs: int = 3, hidden: int = 5, actions: int = 2) -> None:
        super().__init__()
        self.cell = nn.LSTMCell(obs, hidden)
        self.logits = nn.Linear(hidden, actions)

    def unroll(self, obs: Tensor, done: Tensor, state: State) -> tuple[Tensor, State]:
        outputs = []
        for x, finished in zip(obs, done):
            h, c = self.cell(x, state)
            h[finished] = 0.0
            c[finished] = 0.0
            state = State(h, c)
            outputs.append(self.logits(h))
        return torch.stack(outputs), state


def train(policy: RecurrentPolicy, chunks: int, length: int = 3, batch: int = 2) -> None:
    optimizer = torch.optim.Adam(policy.parameters(), lr=1e-3)
    state = State.zeros(batch, policy.cell.hidden_size)
    for _ in range(chunks):
        obs = torch.randn(length, batch, 3)
        done = torch.rand(length, batch) < 0.4
        done[1, 0] = True
        logits, state = policy.unroll(obs, done, state)
        dist = Categorical(logits=logits)
        actions = dist.sample()
        advantages = torch.randn(length, batch)
        advantages -= advantages.mean()
        advantages /= advantages.std() + 1e-8
        loss = -(dist.log_prob(actions) * advantages).mean() - 0.01 * dist.entropy().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        state.detach_()


if __name__ == "__main__":
    torch.manual_seed(0)
    train(RecurrentPolicy(), chunks=2)
