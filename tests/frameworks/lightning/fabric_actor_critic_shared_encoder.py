"""The actor's optimizer steps the shared encoder while the critic's loss still waits for its backward through it."""

import torch
import torch.nn.functional as F
from lightning.fabric import Fabric
from torch import nn
from torch.distributions import Categorical


class Encoder(nn.Module):
    def __init__(self, obs_dim: int, hidden: int) -> None:
        super().__init__()
        self.net = nn.Sequential(nn.Linear(obs_dim, hidden), nn.Tanh(), nn.Linear(hidden, hidden), nn.Tanh())

    def forward(self, obs):
        return self.net(obs)


class Agent(nn.Module):
    def __init__(self, obs_dim: int = 3, n_actions: int = 2, hidden: int = 8) -> None:
        super().__init__()
        self.encoder = Encoder(obs_dim, hidden)
        self.actor = nn.Linear(hidden, n_actions)
        self.critic = nn.Linear(hidden, 1)

    def forward(self, obs):
        z = self.encoder(obs)
        return Categorical(logits=self.actor(z)), self.critic(z).squeeze(-1)


def rollout(steps: int) -> dict[str, torch.Tensor]:
    return {
        "obs": torch.randn(steps, 3),
        "actions": torch.randint(0, 2, (steps,)),
        "returns": torch.randn(steps),
    }


def losses(agent, batch):
    dist, values = agent(batch["obs"])
    advantages = batch["returns"] - values.detach()
    policy_loss = -(dist.log_prob(batch["actions"]) * advantages).mean()
    value_loss = F.mse_loss(values, batch["returns"])
    return policy_loss, value_loss


def main() -> None:
    fabric = Fabric(accelerator="cpu", devices=1)
    fabric.seed_everything(0, verbose=False)
    agent = Agent()
    actor_params = [*agent.encoder.parameters(), *agent.actor.parameters()]
    actor_opt = torch.optim.Adam(actor_params, lr=3e-4)
    critic_opt = torch.optim.Adam(agent.critic.parameters(), lr=1e-3)
    agent, actor_opt, critic_opt = fabric.setup(agent, actor_opt, critic_opt)

    for _ in range(2):
        policy_loss, value_loss = losses(agent, rollout(6))

        actor_opt.zero_grad()
        fabric.backward(policy_loss, retain_graph=True)
        fabric.clip_gradients(agent, actor_opt, max_norm=0.5)
        actor_opt.step()  # error: IP102

        critic_opt.zero_grad()
        fabric.backward(value_loss)
        critic_opt.step()


if __name__ == "__main__":
    main()
