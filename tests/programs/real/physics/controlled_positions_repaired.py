import torch
from torch import nn


class Controller(nn.Module):
    def __init__(self):
        super().__init__()
        self.from_pos, self.from_vel = nn.Linear(2, 8), nn.Linear(2, 8)
        self.out = nn.Linear(8, 2)

    def forward(self, pos, vel):
        return self.out(torch.tanh(self.from_pos(pos) + self.from_vel(vel)))


def simulate(ctrl, steps=4, dt=0.1):
    pos, vel = torch.zeros(3, 2), torch.zeros(3, 2)
    energy = 0.0
    for _ in range(steps):
        force = ctrl(pos, vel)
        vel = vel + dt * force
        pos = pos + dt * vel
        energy = energy + 0.5 * vel.pow(2).sum()
    return pos, energy


ctrl = Controller()
opt = torch.optim.Adam(ctrl.parameters(), lr=1e-2)
for epoch in range(2):
    pos, energy = simulate(ctrl)
    loss = (pos - 1.0).pow(2).mean() + 1e-3 * energy
    opt.zero_grad()
    loss.backward()
    opt.step()
