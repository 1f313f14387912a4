import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, wide, out):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(wide, 8), nn.ReLU(), nn.Linear(8, out))
        for layer in self.net:
            if isinstance(layer, nn.Linear):
                nn.init.normal_(layer.weight, 0.0, 0.02)

    def forward(self, x):
        return self.net(x)


generator, critic = Net(4, 6), Net(6, 1)
steps_generator = torch.optim.Adam(generator.parameters())
steps_critic = torch.optim.Adam(critic.parameters())

for _ in range(10):
    fake = generator(torch.rand(5, 4))
    loss_generator = -critic(fake).mean()
    loss_critic = critic(fake.detach()).mean() - critic(torch.rand(5, 6)).mean()
    steps_critic.zero_grad()
    loss_critic.backward()
    steps_critic.step()
    steps_generator.zero_grad()
    loss_generator.backward()
    steps_generator.step()
