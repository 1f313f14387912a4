from types import SimpleNamespace

import torch
from networks import Critic, Painter
from pictures import Loader
from torch import nn

OPTIONS = {"folder": "pictures", "most": 4, "batch": 2, "sorted": False, "epochs": 1, "rate": 1e-3, "cuda": False}


def train(**changed):
    """Step the critic before the painter's loss walks through it. Started by name, from the command line."""
    options = SimpleNamespace(**OPTIONS)
    for name, value in changed.items():
        setattr(options, name, value)
    device = torch.device("cuda") if options.cuda else torch.device("cpu")
    loader = Loader(options)
    total = len(loader) * options.epochs
    painter, critic = Painter(), Critic()
    painter.to(device)
    critic.to(device)
    of_painter = torch.optim.Adam(painter.parameters(), lr=options.rate)
    of_critic = torch.optim.Adam(critic.parameters(), lr=options.rate)
    judge = nn.BCEWithLogitsLoss()
    for epoch in range(options.epochs):
        for at, batch in enumerate(loader):
            real = batch["picture"].to(device)
            fake = painter(torch.randn(real.size(0), 6, device=device))
            on_fake = critic(fake)
            on_real = critic(real)
            loss = judge(on_real, torch.ones_like(on_real)) + judge(on_fake, torch.zeros_like(on_fake))
            of_critic.zero_grad()
            loss.backward(retain_graph=True)
            of_critic.step()  # error: IP102
            of_painter.zero_grad()
            judge(on_fake, torch.ones_like(on_fake)).backward()
            of_painter.step()


def train_in_order(**changed):
    """Walk through the critic before it steps."""
    options = SimpleNamespace(**OPTIONS)
    for name, value in changed.items():
        setattr(options, name, value)
    device = torch.device("cuda") if options.cuda else torch.device("cpu")
    loader = Loader(options)
    total = len(loader) * options.epochs
    painter, critic = Painter(), Critic()
    painter.to(device)
    critic.to(device)
    of_painter = torch.optim.Adam(painter.parameters(), lr=options.rate)
    of_critic = torch.optim.Adam(critic.parameters(), lr=options.rate)
    judge = nn.BCEWithLogitsLoss()
    for epoch in range(options.epochs):
        for at, batch in enumerate(loader):
            real = batch["picture"].to(device)
            fake = painter(torch.randn(real.size(0), 6, device=device))
            on_fake = critic(fake)
            of_painter.zero_grad()
            judge(on_fake, torch.ones_like(on_fake)).backward()
            of_painter.step()
            on_fake, on_real = critic(fake.detach()), critic(real)
            loss = judge(on_real, torch.ones_like(on_real)) + judge(on_fake, torch.zeros_like(on_fake))
            of_critic.zero_grad()
            loss.backward()
            of_critic.step()
