import types

import torch
import train
from torch import nn

SETTINGS = types.SimpleNamespace(half=2, smoothing=0.1)


class Double(nn.Module):
    def __init__(self):
        super().__init__()
        self.seen, self.heard = nn.Linear(3, 4), nn.Linear(2, 4)
        self.last = nn.Linear(4, 1)

    def forward(self, picture, sound):
        return self.last(torch.tanh(self.seen(picture) + self.heard(sound)))


def step_for(module):
    return torch.optim.SGD(module.parameters(), lr=0.1)


def make_batches():
    return [(torch.randn(4, 3), torch.randn(4, 2), torch.randn(4, 1)) for _ in range(2)]


def make_parts():
    nets = {"actor": nn.Linear(3, 2), "critic": nn.Linear(5, 1)}
    return nets, {name: step_for(net) for name, net in nets.items()}


def raises_shared_steps():
    model = Double()
    train.train_in_halves(make_batches(), model, {"head": step_for(model.last), "all": step_for(model)}, SETTINGS)


def runs_steps_after_both_halves():
    model = Double()
    train.train_after_halves(make_batches(), model, {"head": step_for(model.last), "all": step_for(model)}, SETTINGS)


def raises_early_actor():
    train.update_early(*make_parts(), (torch.randn(4, 3), torch.randn(4, 2), torch.randn(4, 1)))


def runs_late_actor():
    train.update_late(*make_parts(), (torch.randn(4, 3), torch.randn(4, 2), torch.randn(4, 1)))


def raises_generator_before_its_critic():
    generator, critic = nn.Linear(2, 3), nn.Linear(3, 1)
    optimizers = {"generator": step_for(generator), "critic": step_for(critic)}
    train.train_pair_early(generator, critic, optimizers, torch.randn(4, 3), torch.randn(4, 2))


def runs_generator_after_its_critic():
    generator, critic = nn.Linear(2, 3), nn.Linear(3, 1)
    optimizers = {"generator": step_for(generator), "critic": step_for(critic)}
    train.train_pair_late(generator, critic, optimizers, torch.randn(4, 3), torch.randn(4, 2))


class Halves(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder, self.decoder = nn.Linear(3, 4), nn.Linear(4, 3)

    def forward(self, x):
        return self.decoder(self.encoder(x.detach()))


def runs_parts_of_one_model():
    model = Halves()
    optimizers = {"encoder": step_for(model.encoder), "decoder": step_for(model.decoder)}
    train.train_parts(torch.randn(4, 3), model, optimizers)


def runs_schedule_between():
    model = nn.Linear(3, 1)
    optimizer = step_for(model)
    schedule = torch.optim.lr_scheduler.StepLR(optimizer, 1)
    optimizers = {"optimizer": optimizer, "schedule": schedule}
    train.train_with_schedule(torch.randn(4, 3), torch.randn(4, 1), model, optimizers)
