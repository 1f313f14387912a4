"""The generator's backward comes before the clipping."""

import torch
import torch.nn as nn

critic = nn.Sequential(nn.Linear(4, 16), nn.LeakyReLU(0.2), nn.Linear(16, 1))
generator = nn.Sequential(nn.Linear(2, 16), nn.ReLU(), nn.Linear(16, 4))
opt_critic = torch.optim.RMSprop(critic.parameters(), lr=5e-5)
opt_gen = torch.optim.RMSprop(generator.parameters(), lr=5e-5)
CLIP = 0.01
for _ in range(2):
    for _ in range(2):
        real = torch.randn(8, 4)
        fake = generator(torch.randn(8, 2)).detach()
        loss_critic = -(critic(real).mean() - critic(fake).mean())
        critic.zero_grad()
        loss_critic.backward()
        opt_critic.step()
        for p in critic.parameters():
            p.data.clamp_(-CLIP, CLIP)
    gen_loss = -critic(generator(torch.randn(8, 2))).mean()
    opt_gen.zero_grad()
    gen_loss.backward()
    with torch.no_grad():
        for p in critic.parameters():
            p.clamp_(-CLIP, CLIP)
    opt_gen.step()
