import torch
import torch.nn as nn
import torch.nn.functional as F


class Agent:
    def __init__(self, n_obs, n_act, n_all):
        self.actor = nn.Sequential(nn.Linear(n_obs, 8), nn.ReLU(), nn.Linear(8, n_act), nn.Tanh())
        self.critic = nn.Sequential(nn.Linear(n_all, 8), nn.ReLU(), nn.Linear(8, 1))
        self.actor_opt = torch.optim.Adam(self.actor.parameters(), lr=1e-2)
        self.critic_opt = torch.optim.Adam(self.critic.parameters(), lr=1e-2)


class MADDPG:
    def __init__(self):
        self.agents = [Agent(3, 2, 10) for _ in range(2)]

    def learn(self, obs, actions, rewards):
        predicted = [agent.actor(o) for agent, o in zip(self.agents, obs)]
        joint = torch.cat(predicted, dim=1)
        for i, agent in enumerate(self.agents):
            q = agent.critic(torch.cat([*obs, *actions], dim=1))
            critic_loss = F.mse_loss(q, rewards[i])
            agent.critic_opt.zero_grad()
            critic_loss.backward()
            agent.critic_opt.step()

            actor_loss = -agent.critic(torch.cat([*obs, joint], dim=1)).mean()
            agent.actor_opt.zero_grad()
            actor_loss.backward(retain_graph=True)
            agent.actor_opt.step()  # error: IP102


def main():
    torch.manual_seed(3)
    team = MADDPG()
    for _ in range(3):
        obs = [torch.randn(4, 3) for _ in range(2)]
        actions = [torch.randn(4, 2) for _ in range(2)]
        rewards = [torch.randn(4, 1) for _ in range(2)]
        team.learn(obs, actions, rewards)
    return team


team = main()
