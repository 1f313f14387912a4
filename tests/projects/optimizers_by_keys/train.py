"""Steps of optimizers that a dict holds, which somebody else has made."""

import torch
from torch.nn import functional as F


def find_losses(out, target, settings):
    each = F.smooth_l1_loss(out, target, reduction="none", beta=settings.smoothing).mean(1)
    return each[: settings.half].sum(), each[settings.half :].sum()


def train_in_halves(loader, model, optimizer, settings):
    """Both halves of a batch went through the model before its first step."""
    model.train()
    for picture, sound, target in loader:
        out = model(picture, sound)
        first, rest = find_losses(out, target, settings)
        first.backward(retain_graph=True)
        optimizer["head"].step()  # error: IP102
        optimizer["head"].zero_grad()
        rest.backward()
        optimizer["all"].step()
        optimizer["all"].zero_grad()


def train_after_halves(loader, model, optimizer, settings):
    model.train()
    for picture, sound, target in loader:
        out = model(picture, sound)
        first, rest = find_losses(out, target, settings)
        first.backward(retain_graph=True)
        rest.backward()
        for name in ("head", "all"):
            optimizer[name].step()
            optimizer[name].zero_grad()


def update_early(nets, optims, batch):
    seen, action, target = batch
    critic_loss = F.mse_loss(nets["critic"](torch.cat([seen, action], 1)), target)
    actor_loss = -nets["critic"](torch.cat([seen, nets["actor"](seen)], 1)).mean()
    optims["critic"].zero_grad()
    critic_loss.backward()
    optims["critic"].step()  # error: IP102
    optims["actor"].zero_grad()
    actor_loss.backward()
    optims["actor"].step()


def update_late(nets, optims, batch):
    seen, action, target = batch
    critic_loss = F.mse_loss(nets["critic"](torch.cat([seen, action], 1)), target)
    optims["critic"].zero_grad()
    critic_loss.backward()
    optims["critic"].step()
    actor_loss = -nets["critic"](torch.cat([seen, nets["actor"](seen)], 1)).mean()
    optims["actor"].zero_grad()
    actor_loss.backward()
    optims["actor"].step()


def train_pair_early(generator, critic, optimizers, real, noise):
    fake = generator(noise)
    critic_loss = F.softplus(critic(fake.detach())).mean() + F.softplus(-critic(real)).mean()
    generator_loss = F.softplus(-critic(fake)).mean()
    optimizers["critic"].zero_grad()
    critic_loss.backward()
    optimizers["critic"].step()  # error: IP102
    optimizers["generator"].zero_grad()
    generator_loss.backward()
    optimizers["generator"].step()


def train_pair_late(generator, critic, optimizers, real, noise):
    fake = generator(noise)
    critic_loss = F.softplus(critic(fake.detach())).mean() + F.softplus(-critic(real)).mean()
    optimizers["critic"].zero_grad()
    critic_loss.backward()
    optimizers["critic"].step()
    generator_loss = F.softplus(-critic(fake)).mean()
    optimizers["generator"].zero_grad()
    generator_loss.backward()
    optimizers["generator"].step()


def train_parts(x, model, optimizers):
    """Each of the optimizers trains a part of the model, which the function uses by its name."""
    out = model(x)
    encoded = model.encoder(x).pow(2).mean()
    encoded.backward()
    optimizers["encoder"].step()
    model.decoder(out.detach()[:, :1].expand(-1, 4)).mean().backward()
    optimizers["decoder"].step()


def train_with_schedule(x, target, model, opt):
    """What else has a `step` writes no weights."""
    model.train()
    first = F.mse_loss(model(x), target)
    rest = model(x).abs().mean()
    first.backward()
    opt["schedule"].step()
    rest.backward()
    opt["optimizer"].step()
