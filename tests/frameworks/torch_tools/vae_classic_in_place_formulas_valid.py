"""The classic VAE formulas work in place on fresh results only, and run through DataParallel and an averaged model."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.optim.swa_utils import SWALR, AveragedModel, get_ema_multi_avg_fn, update_bn


class VAE(nn.Module):
    def __init__(self, inp: int = 6, latent: int = 2) -> None:
        super().__init__()
        self.stem = nn.Sequential(nn.Linear(inp, 8), nn.BatchNorm1d(8), nn.ReLU(inplace=True))
        self.mu, self.logvar = nn.Linear(8, latent), nn.Linear(8, latent)
        self.decoder = nn.Sequential(nn.Linear(latent, 8), nn.ReLU(inplace=True), nn.Linear(8, inp))

    def reparametrize(self, mu, logvar):
        std = logvar.mul(0.5).exp_()
        eps = torch.empty_like(std).normal_()
        return eps.mul(std).add_(mu)

    def forward(self, x):
        h = self.stem(x)
        mu, logvar = self.mu(h), self.logvar(h)
        z = self.reparametrize(mu, logvar)
        return torch.sigmoid_(self.decoder(z)), mu, logvar


def loss_function(recon_x, x, mu, logvar):
    bce = F.binary_cross_entropy(recon_x, x, reduction="sum")
    kld_element = mu.pow(2).add_(logvar.exp()).mul_(-1).add_(1).add_(logvar)
    kld = torch.sum(kld_element).mul_(-0.5)
    return bce + kld


def main() -> None:
    torch.manual_seed(0)
    data = [torch.rand(4, 6) for _ in range(3)]
    model = nn.DataParallel(VAE())
    averaged = AveragedModel(model.module, multi_avg_fn=get_ema_multi_avg_fn(0.9))
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-3, momentum=0.9)
    scheduler = SWALR(optimizer, swa_lr=5e-4, anneal_epochs=2)
    for x in data:
        recon, mu, logvar = model(x)
        loss = loss_function(recon, x, mu, logvar)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        scheduler.step()
        averaged.update_parameters(model.module)
    update_bn(iter(data), averaged)
    with torch.inference_mode():
        averaged.eval()
        averaged(data[0])[0].round_()


if __name__ == "__main__":
    main()
