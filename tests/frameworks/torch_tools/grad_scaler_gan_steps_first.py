"""With a gradient scaler the discriminator steps while the generator's loss, already computed through it, is still unwalked."""

import torch
import torch.nn.functional as F
from torch import nn
from torch.nn.utils import parametrizations


class Discriminator(nn.Module):
    def __init__(self, dim: int) -> None:
        super().__init__()
        self.body = nn.Sequential(nn.Linear(dim, 8), nn.LeakyReLU(0.2))
        self.score = nn.Linear(8, 1)

    def forward(self, x):
        return self.score(self.body(x)).squeeze(-1)


class ScaledOptimizer:
    """An optimizer that shares one scaler with others."""

    def __init__(self, module: nn.Module, scaler: torch.amp.GradScaler, max_norm: float = 5.0, **options) -> None:
        self.module, self.scaler, self.max_norm = module, scaler, max_norm
        self.inner = torch.optim.Adam(module.parameters(), **options)

    def minimise(self, loss: torch.Tensor, retain: bool = False) -> None:
        self.inner.zero_grad(set_to_none=True)
        self.scaler.scale(loss).backward(retain_graph=retain)
        self.scaler.unscale_(self.inner)
        nn.utils.clip_grad_norm_(self.module.parameters(), self.max_norm)
        self.scaler.step(self.inner)  # error: IP102


def relativistic(disc, real, fake):
    real_score, fake_score = disc(real), disc(fake)
    d_loss = F.softplus(-(real_score - fake_score.mean())).mean()
    g_loss = F.softplus(-(fake_score - real_score.mean())).mean()
    return d_loss, g_loss


def main() -> None:
    torch.manual_seed(0)
    gen = nn.Sequential(parametrizations.weight_norm(nn.Linear(3, 8)), nn.ELU(), nn.Linear(8, 4))
    disc = Discriminator(4)
    scaler = torch.amp.GradScaler("cpu", init_scale=128.0)
    g_opt, d_opt = (ScaledOptimizer(net, scaler, lr=1e-3, betas=(0.5, 0.9)) for net in (gen, disc))
    real, noise = torch.randn(4, 4), torch.randn(4, 3)
    d_loss, g_loss = relativistic(disc, real, gen(noise))
    d_opt.minimise(d_loss, retain=True)
    g_opt.minimise(g_loss)
    scaler.update()


if __name__ == "__main__":
    main()
