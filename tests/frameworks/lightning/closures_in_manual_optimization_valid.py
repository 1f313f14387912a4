"""Each optimizer gets a closure that scores, clears and walks by itself, so every step comes right after its own backward."""

import lightning as L
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader


class GAN(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.automatic_optimization = False
        self.gen = nn.Sequential(nn.Linear(2, 8), nn.ReLU(), nn.Linear(8, 3))
        self.dis = nn.Sequential(nn.Linear(3, 8), nn.LeakyReLU(0.2), nn.Linear(8, 1))

    def training_step(self, batch, batch_idx):
        opt_gen, opt_dis = self.optimizers()
        z = torch.randn(batch.size(0), 2, device=self.device)
        valid = torch.ones(batch.size(0), 1, device=self.device)

        def closure_gen():
            loss = F.binary_cross_entropy_with_logits(self.dis(self.gen(z)), valid)
            opt_gen.zero_grad()
            self.manual_backward(loss)
            return loss

        with opt_gen.toggle_model():
            opt_gen.step(closure=closure_gen)

        def closure_dis():
            real = F.binary_cross_entropy_with_logits(self.dis(batch), valid)
            fake = F.binary_cross_entropy_with_logits(self.dis(self.gen(z).detach()), 1 - valid)
            opt_dis.zero_grad()
            self.manual_backward(real + fake)
            return real + fake

        with opt_dis.toggle_model():
            opt_dis.step(closure=closure_dis)

    def configure_optimizers(self):
        return torch.optim.Adam(self.gen.parameters(), lr=2e-3), torch.optim.Adam(self.dis.parameters(), lr=2e-3)


trainer = L.Trainer(
    max_epochs=1,
    accelerator="cpu",
    logger=False,
    enable_checkpointing=False,
    enable_progress_bar=False,
    enable_model_summary=False,
)
trainer.fit(GAN(), DataLoader(torch.randn(8, 3), batch_size=4))
