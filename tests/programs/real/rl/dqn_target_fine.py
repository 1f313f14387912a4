"""DQN with a target network, masked targets written in place and a periodic copy of weights."""

import random
from collections import deque, namedtuple

import torch
import torch.nn as nn
import torch.nn.functional as F

Transition = namedtuple("Transition", ("state", "action", "next_state", "reward"))


class ReplayMemory:
    def __init__(self, capacity):
        self.memory = deque([], maxlen=capacity)

    def push(self, *args):
        self.memory.append(Transition(*args))

    def sample(self, n):
        return random.sample(self.memory, n)

    def __len__(self):
        return len(self.memory)


class DQN(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer1 = nn.Linear(4, 16)
        self.layer2 = nn.Linear(16, 2)

    def forward(self, x):
        return self.layer2(F.relu(self.layer1(x)))


policy_net, target_net = DQN(), DQN()
target_net.load_state_dict(policy_net.state_dict())
optimizer = torch.optim.AdamW(policy_net.parameters(), lr=1e-4, amsgrad=True)
memory = ReplayMemory(100)
for _ in range(10):
    memory.push(torch.randn(1, 4), torch.tensor([[random.randrange(2)]]), torch.randn(1, 4), torch.rand(1))


def optimize_model():
    if len(memory) < 4:
        return
    batch = Transition(*zip(*memory.sample(4)))
    mask = torch.tensor([s is not None for s in batch.next_state], dtype=torch.bool)
    state_action_values = policy_net(torch.cat(batch.state)).gather(1, torch.cat(batch.action))
    next_values = torch.zeros(4)
    with torch.no_grad():
        next_values[mask] = target_net(torch.cat(batch.next_state)).max(1).values
    expected = next_values * 0.99 + torch.cat(batch.reward)
    loss = F.smooth_l1_loss(state_action_values, expected.unsqueeze(1))
    optimizer.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_value_(policy_net.parameters(), 100)
    optimizer.step()


for i in range(3):
    optimize_model()
    state = target_net.state_dict()
    own = policy_net.state_dict()
    for key in own:
        state[key] = own[key] * 0.005 + state[key] * 0.995
    target_net.load_state_dict(state)
