"""The generator's loss goes through the discriminator only after the discriminator's own update."""

import torch
import torch.nn.functional as F
from mmengine.model import BaseModel
from mmengine.optim import OptimWrapper, OptimWrapperDict
from torch import nn


class ToyGAN(BaseModel):
    def __init__(self):
        super().__init__()
        self.generator = nn.Sequential(nn.Linear(2, 8), nn.ReLU(inplace=True), nn.Linear(8, 3))
        self.discriminator = nn.Sequential(nn.Linear(3, 8), nn.LeakyReLU(0.2, inplace=True), nn.Linear(8, 1))

    def forward(self, inputs, mode="tensor"):
        return self.generator(inputs)

    def train_step(self, data, optim_wrapper):
        real = self.data_preprocessor(data, True)["inputs"]
        fake = self(torch.randn(len(real), 2))
        loss_disc = F.softplus(-self.discriminator(real)).mean()
        loss_disc += F.softplus(self.discriminator(fake.detach())).mean()
        optim_wrapper["discriminator"].update_params(loss_disc)
        loss_gen = F.softplus(-self.discriminator(fake)).mean()
        optim_wrapper["generator"].update_params(loss_gen)
        return dict(loss_disc=loss_disc.detach(), loss_gen=loss_gen.detach())


torch.manual_seed(0)
model = ToyGAN()
optim_wrapper = OptimWrapperDict(
    generator=OptimWrapper(torch.optim.Adam(model.generator.parameters(), lr=1e-3)),
    discriminator=OptimWrapper(torch.optim.Adam(model.discriminator.parameters(), lr=1e-3)),
)
for _ in range(2):
    model.train_step(dict(inputs=torch.randn(4, 3)), optim_wrapper)
