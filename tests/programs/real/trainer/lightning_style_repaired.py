"""Both losses are walked first."""

import torch
from torch import nn


class Module(nn.Module):
    def configure_optimizers(self):
        raise NotImplementedError

    def optimizers(self):
        if not hasattr(self, "_optimizers"):
            self._optimizers = self.configure_optimizers()
        return self._optimizers

    def manual_backward(self, loss, **kwargs):
        loss.backward(**kwargs)


class VAEGAN(Module):
    def __init__(self):
        super().__init__()
        self.encoder = nn.Linear(4, 3)
        self.decoder = nn.Sequential(nn.Linear(3, 4), nn.Sigmoid())
        self.disc = nn.Sequential(nn.Linear(4, 4), nn.LeakyReLU(0.2), nn.Linear(4, 1))

    def configure_optimizers(self):
        ae = torch.optim.Adam([*self.encoder.parameters(), *self.decoder.parameters()])
        d = torch.optim.Adam(self.disc.parameters())
        return ae, d

    def training_step(self, batch, batch_idx):
        opt_ae, opt_d = self.optimizers()
        recon = self.decoder(self.encoder(batch))
        score = self.disc(recon)
        ae_loss = (recon - batch).pow(2).mean() - score.mean()
        d_loss = score.mean() - self.disc(batch).mean()
        opt_ae.zero_grad()
        opt_d.zero_grad()
        self.manual_backward(ae_loss, retain_graph=True)
        self.manual_backward(d_loss)
        opt_ae.step()
        opt_d.step()


model = VAEGAN()
for i, batch in enumerate(torch.rand(2, 5, 4)):
    model.training_step(batch, i)
