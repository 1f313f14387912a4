"""The values of the rollout keep their graph, so the first epoch's step changes weights that the second epoch still walks."""

import torch
from lightning.fabric import Fabric
from torch import nn
from torch.distributions import Categorical


class Agent(nn.Module):
    def __init__(self, obs=4, actions=2):
        super().__init__()
        self.critic = nn.Sequential(nn.Linear(obs, 8), nn.Tanh(), nn.Linear(8, 1))
        self.actor = nn.Sequential(nn.Linear(obs, 8), nn.Tanh(), nn.Linear(8, actions))

    def forward(self, x, action=None):
        dist = Categorical(logits=self.actor(x))
        if action is None:
            action = dist.sample()
        return action, dist.log_prob(action), dist.entropy(), self.critic(x)


fabric = Fabric(accelerator="cpu")
agent = Agent()
optimizer = torch.optim.Adam(agent.parameters(), lr=1e-3, eps=1e-4)
agent, optimizer = fabric.setup(agent, optimizer)

num_steps, num_envs = 4, 3
obs = torch.randn(num_steps, num_envs, 4, device=fabric.device)
rewards = torch.randn(num_steps, num_envs, device=fabric.device)
actions, logprobs, values = [], [], []
for step in range(num_steps):
    action, logprob, _, value = agent(obs[step])
    actions.append(action)
    logprobs.append(logprob.detach())
    values.append(value.flatten())

advantages = rewards.flip(0).cumsum(0).flip(0) - torch.stack(values)
b_obs, b_actions = obs.flatten(0, 1), torch.stack(actions).flatten()
b_logprobs, b_advantages = torch.stack(logprobs).flatten(), advantages.flatten()
for epoch in range(2):
    _, newlogprob, entropy, newvalue = agent(b_obs, b_actions)
    ratio = (newlogprob - b_logprobs).exp()
    pg_loss = torch.max(-b_advantages * ratio, -b_advantages * ratio.clamp(0.8, 1.2)).mean()
    v_loss = 0.5 * newvalue.square().mean()
    loss = pg_loss + 0.5 * v_loss - 0.01 * entropy.mean()
    optimizer.zero_grad(set_to_none=True)
    fabric.backward(loss, retain_graph=True)
    fabric.clip_gradients(agent, optimizer, max_norm=0.5)
    optimizer.step()  # error: IP102
