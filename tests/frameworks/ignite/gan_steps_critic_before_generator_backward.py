"""The step scores the fakes once and moves the critic while the generator's loss still has to be walked through its old weights."""

import torch
from ignite.engine import Engine, Events
from ignite.metrics import RunningAverage
from torch import nn

netG = nn.Sequential(nn.Linear(3, 8), nn.BatchNorm1d(8), nn.ReLU(inplace=True), nn.Linear(8, 4), nn.Tanh())
netD = nn.Sequential(nn.Linear(4, 8), nn.LeakyReLU(0.2, inplace=True), nn.Linear(8, 1), nn.Sigmoid())
bce = nn.BCELoss()
optimizerG = torch.optim.Adam(netG.parameters(), lr=2e-4, betas=(0.5, 0.999))
optimizerD = torch.optim.Adam(netD.parameters(), lr=2e-4, betas=(0.5, 0.999))


def step(engine, batch):
    real = batch
    ones = torch.ones(real.size(0), 1)
    fake = netG(torch.randn(real.size(0), 3))
    output_fake = netD(fake)
    errD = bce(netD(real), ones) + bce(output_fake, 1 - ones)
    errG = bce(output_fake, ones)

    optimizerD.zero_grad()
    errD.backward(retain_graph=True)
    optimizerD.step()  # error: IP102

    optimizerG.zero_grad()
    errG.backward()
    optimizerG.step()
    return {"errD": errD.item(), "errG": errG.item()}


trainer = Engine(step)
RunningAverage(alpha=0.9, output_transform=lambda out: out["errD"]).attach(trainer, "errD")
RunningAverage(alpha=0.9, output_transform=lambda out: out["errG"]).attach(trainer, "errG")


@trainer.on(Events.EPOCH_COMPLETED)
def print_times(engine):
    print(f"epoch {engine.state.epoch}: {engine.state.metrics}")


trainer.run([torch.randn(4, 4) for _ in range(2)], max_epochs=1)
