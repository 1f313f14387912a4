"""Networks and optimizers that a trainer has from a base class nobody sees: their names, and what is asked of them."""

import torch
from torch import nn

hidden = {}
exec(
    """
import torch
from torch import nn

class BaseTrainer:
    def __init__(self, **networks):
        for name, network in networks.items():
            setattr(self, name, network)
            setattr(self, f"{name}_opt", torch.optim.Adam(network.parameters(), lr=0.1))

class BaseModel:
    def __init__(self, netG, netD):
        self.netG, self.netD = netG, netD
        self.optimizer_G = torch.optim.Adam(netG.parameters())
        self.optimizer_D = torch.optim.Adam(netD.parameters())

class Learner:
    def __init__(self, model):
        self.model = model
        self.optimizer = torch.optim.Adam(model.parameters())

def build(last=1):
    return nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, last))
""",
    hidden,
)
BaseTrainer, BaseModel, Learner, build = (hidden[name] for name in ("BaseTrainer", "BaseModel", "Learner", "build"))


class Trainer(BaseTrainer):
    def update_late(self, states):
        actor_loss = -self.critic(self.actor(states)).mean()
        critic_loss = self.critic(states).pow(2).mean()
        self.critic_opt.zero_grad()
        critic_loss.backward()
        self.critic_opt.step()  # error: IP102
        self.actor_opt.zero_grad()
        try:
            actor_loss.backward()
        except RuntimeError as error:
            print(error)

    def update(self, states):
        critic_loss = self.critic(states).pow(2).mean()
        self.critic_opt.zero_grad()
        critic_loss.backward()
        self.critic_opt.step()
        actor_loss = -self.critic(self.actor(states)).mean()
        self.actor_opt.zero_grad()
        actor_loss.backward()
        self.actor_opt.step()


trainer = Trainer(actor=build(3), critic=build())
trainer.update(torch.rand(4, 3))
trainer.update_late(torch.rand(4, 3))


class Translation(BaseModel):
    def translate(self, image, early):
        fake = self.netG(image)
        loss_G = self.netD(fake).mean() if early else None
        loss_D = self.netD(fake.detach()).mean()
        self.optimizer_D.zero_grad()
        loss_D.backward()
        self.optimizer_D.step()  # error: IP102
        if loss_G is None:
            loss_G = self.netD(fake).mean()
        self.optimizer_G.zero_grad()
        try:
            loss_G.backward()
        except RuntimeError as error:
            print(error)
        self.optimizer_G.step()


Translation(build(3), build()).translate(torch.rand(4, 3), early=True)
Translation(build(3), build()).translate(torch.rand(4, 3), early=False)


class Regression(Learner):
    def fit(self, rows):
        self.model.train()
        for _ in range(2):
            loss = self.model(rows).pow(2).mean()
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()

    def fit_once_more(self, rows):
        self.model.train()
        out = self.model(rows)
        out.mean().backward()
        try:
            out.sum().backward()  # error: IP103
        except RuntimeError as error:
            print(error)

    def fit_with_noise(self, rows):
        rows = rows * 1
        loss = self.model(rows).pow(2).mean()
        rows.add_(0.1)  # error: IP101
        try:
            loss.backward()
        except RuntimeError as error:
            print(error)


learner = Regression(build())
learner.fit(torch.rand(4, 3))
learner.fit_once_more(torch.rand(4, 3))
learner.fit_with_noise(torch.rand(4, 3))
