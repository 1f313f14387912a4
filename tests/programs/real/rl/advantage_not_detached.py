import torch
import torch.nn as nn
import torch.nn.functional as F


class Policy(nn.Module):
    def __init__(self, n_obs, n_act):
        super().__init__()
        self.fc = nn.Linear(n_obs, 16)
        self.head = nn.Linear(16, n_act)

    def forward(self, obs):
        return F.softmax(self.head(torch.tanh(self.fc(obs))), dim=-1)


class Value(nn.Module):
    def __init__(self, n_obs):
        super().__init__()
        self.fc = nn.Linear(n_obs, 16)
        self.head = nn.Linear(16, 1)

    def forward(self, obs):
        return self.head(torch.tanh(self.fc(obs)))


class Agent:
    def __init__(self, n_obs=4, n_act=2):
        self.policy = Policy(n_obs, n_act)
        self.value = Value(n_obs)
        self.policy_opt = torch.optim.Adam(self.policy.parameters(), lr=1e-3)
        self.value_opt = torch.optim.Adam(self.value.parameters(), lr=1e-3)
        self.gamma = 0.99

    def learn(self, obs, action, reward, next_obs, done):
        value = self.value(obs)
        with torch.no_grad():
            target = reward + self.gamma * self.value(next_obs) * (1 - done)
        advantage = target - value
        value_loss = advantage.pow(2).mean()
        log_prob = torch.log(self.policy(obs).gather(1, action))
        policy_loss = -(log_prob * advantage).mean()

        self.value_opt.zero_grad()
        value_loss.backward(retain_graph=True)
        self.value_opt.step()  # error: IP102

        self.policy_opt.zero_grad()
        policy_loss.backward()
        self.policy_opt.step()


def main():
    torch.manual_seed(2)
    agent = Agent()
    for _ in range(3):
        obs, next_obs = torch.randn(5, 4), torch.randn(5, 4)
        action = torch.randint(0, 2, (5, 1))
        agent.learn(obs, action, torch.randn(5, 1), next_obs, torch.zeros(5, 1))
    return agent


agent = main()
