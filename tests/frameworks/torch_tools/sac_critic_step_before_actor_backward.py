"""SAC's actor loss is computed through the critic along with the critic's own loss, whose optimizer then steps first."""

import copy
import math

import torch
import torch.nn.functional as F
from torch import nn
from torch.distributions import Normal, TransformedDistribution
from torch.distributions.transforms import TanhTransform


def mlp(*sizes: int) -> nn.Sequential:
    layers = []
    for i, o in zip(sizes[:-1], sizes[1:]):
        layers += [nn.Linear(i, o), nn.ReLU()]
    return nn.Sequential(*layers[:-1])


class Actor(nn.Module):
    def __init__(self, obs: int, act: int) -> None:
        super().__init__()
        self.trunk = mlp(obs, 8, 2 * act)

    def forward(self, obs):
        mean, log_std = self.trunk(obs).chunk(2, dim=-1)
        dist = TransformedDistribution(Normal(mean, log_std.clamp(-5, 2).exp()), [TanhTransform(cache_size=1)])
        action = dist.rsample()
        return action, dist.log_prob(action).sum(-1)


class TwinQ(nn.Module):
    def __init__(self, obs: int, act: int) -> None:
        super().__init__()
        self.q1, self.q2 = mlp(obs + act, 8, 1), mlp(obs + act, 8, 1)

    def forward(self, obs, act):
        x = torch.cat([obs, act], dim=-1)
        return self.q1(x).squeeze(-1), self.q2(x).squeeze(-1)


class SAC:
    def __init__(self, obs: int = 3, act: int = 1, gamma: float = 0.99, tau: float = 0.01) -> None:
        self.actor, self.critic = Actor(obs, act), TwinQ(obs, act)
        self.target = copy.deepcopy(self.critic).requires_grad_(False)
        self.log_alpha = torch.tensor(math.log(0.2), requires_grad=True)
        self.gamma, self.tau, self.target_entropy = gamma, tau, -float(act)
        self.optimizers = {
            "critic": torch.optim.Adam(self.critic.parameters(), lr=3e-4),
            "actor": torch.optim.Adam(self.actor.parameters(), lr=3e-4),
            "alpha": torch.optim.Adam([self.log_alpha], lr=3e-4),
        }

    def compute_losses(self, b) -> dict[str, torch.Tensor]:
        with torch.no_grad():
            next_action, next_logp = self.actor(b["next_obs"])
            target_q = torch.min(*self.target(b["next_obs"], next_action)) - self.log_alpha.exp() * next_logp
            y = b["reward"] + self.gamma * (1 - b["done"]) * target_q
        critic_loss = sum(F.mse_loss(q, y) for q in self.critic(b["obs"], b["action"]))
        action, logp = self.actor(b["obs"])
        actor_loss = (self.log_alpha.exp().detach() * logp - torch.min(*self.critic(b["obs"], action))).mean()
        alpha_loss = -(self.log_alpha * (logp.detach() + self.target_entropy)).mean()
        return {"critic": critic_loss, "actor": actor_loss, "alpha": alpha_loss}

    def update(self, batch) -> None:
        for name, loss in self.compute_losses(batch).items():
            optimizer = self.optimizers[name]
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()  # error: IP102
        with torch.no_grad():
            for slow, fast in zip(self.target.parameters(), self.critic.parameters()):
                slow.lerp_(fast, self.tau)


if __name__ == "__main__":
    torch.manual_seed(0)
    batch = {
        "obs": torch.randn(4, 3),
        "action": torch.rand(4, 1),
        "reward": torch.randn(4),
        "next_obs": torch.randn(4, 3),
        "done": torch.zeros(4),
    }
    SAC().update(batch)
