"""The queue of keys is written before the trainer walks the loss, but the product with the queries has kept a copy of the queue."""

import copy

import lightning as L
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader


class MoCo(L.LightningModule):
    def __init__(self, dim=4, queue_size=8, momentum=0.99, temperature=0.2):
        super().__init__()
        self.save_hyperparameters()
        self.encoder_q = nn.Sequential(nn.Linear(6, 8), nn.ReLU(), nn.Linear(8, dim))
        self.encoder_k = copy.deepcopy(self.encoder_q)
        for param_k in self.encoder_k.parameters():
            param_k.requires_grad = False
        self.register_buffer("queue", F.normalize(torch.randn(dim, queue_size), dim=0))
        self.register_buffer("queue_ptr", torch.zeros(1, dtype=torch.long))

    @torch.no_grad()
    def _momentum_update_key_encoder(self):
        em = self.hparams.momentum
        for param_q, param_k in zip(self.encoder_q.parameters(), self.encoder_k.parameters()):
            param_k.data = param_k.data * em + param_q.data * (1.0 - em)

    @torch.no_grad()
    def _dequeue_and_enqueue(self, keys):
        ptr = int(self.queue_ptr)
        self.queue[:, ptr : ptr + keys.shape[0]] = keys.T
        self.queue_ptr[0] = (ptr + keys.shape[0]) % self.hparams.queue_size

    def training_step(self, batch, batch_idx):
        img_1, img_2 = batch + 0.1 * torch.randn_like(batch), batch
        q = F.normalize(self.encoder_q(img_1), dim=1)
        with torch.no_grad():
            self._momentum_update_key_encoder()
            k = F.normalize(self.encoder_k(img_2), dim=1)
        l_pos = torch.einsum("nc,nc->n", [q, k]).unsqueeze(-1)
        l_neg = torch.einsum("nc,ck->nk", [q, self.queue.clone().detach()])
        logits = torch.cat([l_pos, l_neg], dim=1) / self.hparams.temperature
        labels = torch.zeros(logits.shape[0], dtype=torch.long, device=self.device)
        self._dequeue_and_enqueue(k)
        loss = F.cross_entropy(logits, labels)
        self.log("train_loss", loss)
        return loss

    def configure_optimizers(self):
        return torch.optim.SGD(self.encoder_q.parameters(), lr=0.03, momentum=0.9, weight_decay=1e-4)


trainer = L.Trainer(
    max_steps=2,
    accelerator="cpu",
    logger=False,
    enable_checkpointing=False,
    enable_progress_bar=False,
    enable_model_summary=False,
)
trainer.fit(MoCo(), DataLoader(torch.randn(8, 6), batch_size=4))
