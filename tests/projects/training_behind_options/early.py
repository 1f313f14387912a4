import argparse
import os
import random

import torch
from networks import Critic, Generator, start_weights
from pictures import find_pictures
from torch import nn


def read_options(arguments=None):
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", choices=["folder", "noise", "zeros"], default="noise")
    parser.add_argument("--folder", default="")
    parser.add_argument("--sorted", action="store_true")
    parser.add_argument("--batch", type=int, default=4)
    parser.add_argument("--noise", type=int, default=6)
    parser.add_argument("--width", type=int, default=5)
    parser.add_argument("--epochs", type=int, default=1)
    parser.add_argument("--kind", choices=["plain", "spectral"], default="plain")
    parser.add_argument("--loss", choices=["bce", "hinge", "none"], default="bce")
    parser.add_argument("--schedule", choices=["none", "step", "cosine"], default="none")
    parser.add_argument("--clip", type=float, default=0)
    parser.add_argument("--seed", type=int)
    parser.add_argument("--resume", default="")
    parser.add_argument("--cuda", action="store_true")
    parser.add_argument("--log", action="store_true")
    return parser.parse_args(arguments)


def train(options):
    if options.seed is None:
        options.seed = random.randint(1, 1000)
    torch.manual_seed(options.seed)
    if torch.cuda.is_available() and not options.cuda:
        print("there is a GPU: --cuda")
    if options.data == "folder" and not options.folder:
        raise ValueError("--folder is needed")
    pictures = find_pictures(options)
    device = torch.device("cuda:0" if options.cuda else "cpu")
    generator, critic = (
        Generator(options.noise, options.width).to(device),
        Critic(options.width, options.kind).to(device),
    )
    generator.apply(start_weights)
    if options.resume and os.path.isfile(options.resume):
        state = torch.load(options.resume)
        generator.load_state_dict(state["generator"])
        critic.load_state_dict(state["critic"])
    if options.loss == "bce":
        judge = nn.BCEWithLogitsLoss()
    elif options.loss == "hinge":
        judge = nn.HingeEmbeddingLoss()
    else:
        judge = None
    of_critic = torch.optim.Adam(critic.parameters(), lr=1e-3)
    of_generator = torch.optim.Adam(generator.parameters(), lr=1e-3)
    if options.schedule == "step":
        schedule = torch.optim.lr_scheduler.StepLR(of_critic, 10)
    elif options.schedule == "cosine":
        schedule = torch.optim.lr_scheduler.CosineAnnealingLR(of_critic, 10)
    else:
        schedule = None
    for epoch in range(options.epochs):
        for at, (real, _) in enumerate(pictures):
            real = real.to(device)
            if options.log and at % 10 == 0:
                print(epoch, at)
            fake = generator(torch.randn(real.size(0), options.noise, 1, 1, device=device))
            on_real, on_fake = critic(real), critic(fake.detach())
            if judge is not None:
                loss = judge(on_real, torch.ones_like(on_real)) + judge(on_fake, -torch.ones_like(on_fake))
            else:
                loss = on_fake.mean() - on_real.mean()
            scores = critic(fake)
            of_critic.zero_grad()
            loss.backward()
            if options.clip > 0:
                nn.utils.clip_grad_norm_(critic.parameters(), options.clip)
            of_critic.step()  # error: IP102
            of_generator.zero_grad()
            (-scores.mean()).backward()
            of_generator.step()
        if schedule is not None:
            schedule.step()


if __name__ == "__main__":
    train(read_options())
