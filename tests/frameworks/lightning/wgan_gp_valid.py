"""The critic walks its penalty and steps several times per batch, and the generator scores fresh fakes with the stepped critic."""

import lightning as L
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class WGANGP(L.LightningModule):
    def __init__(self, latent_dim: int = 3, n_critic: int = 2, lambda_gp: float = 10.0):
        super().__init__()
        self.save_hyperparameters()
        self.automatic_optimization = False
        self.G = nn.Sequential(nn.Linear(latent_dim, 8), nn.LeakyReLU(0.2, inplace=True), nn.Linear(8, 2))
        self.C = nn.Sequential(nn.Linear(2, 8), nn.LeakyReLU(0.2, inplace=True), nn.Linear(8, 1))

    def gradient_penalty(self, real, fake):
        alpha = torch.rand(real.size(0), 1, device=self.device)
        mixed = (alpha * real + (1 - alpha) * fake).requires_grad_(True)
        (grad,) = torch.autograd.grad(self.C(mixed).sum(), mixed, create_graph=True)
        return (grad.norm(2, dim=1) - 1).square_().mean()

    def training_step(self, batch, batch_idx):
        real = batch[0]
        opt_g, opt_c = self.optimizers()
        for _ in range(self.hparams.n_critic):
            fake = self.G(torch.randn(real.size(0), self.hparams.latent_dim, device=self.device)).detach()
            c_loss = self.C(fake).mean() - self.C(real).mean()
            c_loss += self.hparams.lambda_gp * self.gradient_penalty(real, fake)
            opt_c.zero_grad(set_to_none=True)
            self.manual_backward(c_loss)
            opt_c.step()
        g_loss = -self.C(self.G(torch.randn(real.size(0), self.hparams.latent_dim, device=self.device))).mean()
        opt_g.zero_grad(set_to_none=True)
        self.manual_backward(g_loss)
        opt_g.step()
        self.log_dict({"c_loss": c_loss, "g_loss": g_loss})

    def configure_optimizers(self):
        kwargs = dict(lr=1e-4, betas=(0.0, 0.9))
        return torch.optim.Adam(self.G.parameters(), **kwargs), torch.optim.Adam(self.C.parameters(), **kwargs)


trainer = L.Trainer(
    max_epochs=1,
    accelerator="cpu",
    logger=False,
    enable_checkpointing=False,
    enable_progress_bar=False,
    enable_model_summary=False,
)
trainer.fit(WGANGP(), DataLoader(TensorDataset(torch.randn(8, 2)), batch_size=4))
