"""The step walks the critic on detached fakes, moves it and only then scores the fakes for the generator's loss."""

import torch
from ignite.engine import Engine, Events
from ignite.handlers import TerminateOnNan
from torch import nn

netG = nn.Sequential(nn.Linear(3, 8), nn.BatchNorm1d(8), nn.ReLU(inplace=True), nn.Linear(8, 4), nn.Tanh())
netD = nn.Sequential(nn.Linear(4, 8), nn.LeakyReLU(0.2, inplace=True), nn.Linear(8, 1), nn.Sigmoid())
bce = nn.BCELoss()
optimizerG = torch.optim.Adam(netG.parameters(), lr=2e-4, betas=(0.5, 0.999))
optimizerD = torch.optim.Adam(netD.parameters(), lr=2e-4, betas=(0.5, 0.999))
real_labels, fake_labels = torch.ones(4, 1), torch.zeros(4, 1)


def step(engine, batch):
    netD.zero_grad()
    errD_real = bce(netD(batch), real_labels)
    errD_real.backward()
    fake = netG(torch.randn(batch.size(0), 3))
    errD_fake = bce(netD(fake.detach()), fake_labels)
    errD_fake.backward()
    errD = errD_real + errD_fake
    optimizerD.step()

    netG.zero_grad()
    errG = bce(netD(fake), real_labels)
    errG.backward()
    optimizerG.step()
    return errD, errG


trainer = Engine(step)
trainer.add_event_handler(Events.ITERATION_COMPLETED, TerminateOnNan())


@trainer.on(Events.ITERATION_COMPLETED(every=2))
def log_losses(engine):
    errD, errG = engine.state.output
    print(f"[{engine.state.iteration}] {errD.item():.3f} {errG.item():.3f}")


trainer.run([torch.randn(4, 4) for _ in range(2)], max_epochs=2)
