"""PPO's rollout keeps values with their graph, so the advantages of the second epoch lead into a graph that is gone."""

from dataclasses import dataclass

import torch
from torch import nn
from torch.distributions import Independent, Normal


@dataclass
class PPOConfig:
    epochs: int = 2
    gamma: float = 0.99
    lam: float = 0.95
    clip: float = 0.2
    entropy: float = 0.01


class ActorCritic(nn.Module):
    def __init__(self, obs: int = 3, act: int = 2, hidden: int = 6) -> None:
        super().__init__()
        self.pi = nn.Sequential(nn.Linear(obs, hidden), nn.Tanh(), nn.Linear(hidden, act))
        self.v = nn.Sequential(nn.Linear(obs, hidden), nn.Tanh(), nn.Linear(hidden, 1))
        self.log_std = nn.Parameter(torch.full((act,), -0.5))

    def dist(self, obs):
        return Independent(Normal(self.pi(obs), self.log_std.exp()), 1)

    def value(self, obs):
        return self.v(obs).squeeze(-1)


def collect(agent: ActorCritic, steps: int) -> dict[str, torch.Tensor]:
    obs = torch.randn(steps, 3)
    with torch.no_grad():
        dist = agent.dist(obs)
        actions = dist.sample()
        log_probs = dist.log_prob(actions)
    return {
        "obs": obs,
        "actions": actions,
        "log_probs": log_probs,
        "rewards": torch.randn(steps),
        "values": agent.value(obs),
    }


def gae(rewards, values, cfg: PPOConfig):
    advantages, last = [], 0.0
    for t in reversed(range(len(rewards))):
        following = values[t + 1] if t + 1 < len(values) else 0.0
        delta = rewards[t] + cfg.gamma * following - values[t]
        last = delta + cfg.gamma * cfg.lam * last
        advantages.insert(0, last)
    return torch.stack(advantages)


def update(agent, optimizer, batch, cfg: PPOConfig) -> None:
    advantages = gae(batch["rewards"], batch["values"], cfg)
    returns = advantages + batch["values"]
    for _ in range(cfg.epochs):
        dist = agent.dist(batch["obs"])
        ratio = (dist.log_prob(batch["actions"]) - batch["log_probs"]).exp()
        surrogate = torch.minimum(ratio * advantages, ratio.clamp(1 - cfg.clip, 1 + cfg.clip) * advantages)
        value_loss = 0.5 * (agent.value(batch["obs"]) - returns.detach()).pow(2).mean()
        loss = value_loss - surrogate.mean() - cfg.entropy * dist.entropy().mean()
        optimizer.zero_grad()
        loss.backward()  # error: IP103
        nn.utils.clip_grad_norm_(agent.parameters(), 0.5)
        optimizer.step()


if __name__ == "__main__":
    torch.manual_seed(0)
    policy = ActorCritic()
    update(policy, torch.optim.Adam(policy.parameters(), lr=3e-4), collect(policy, steps=5), PPOConfig())
