"""The codebook's copy is used for the distances."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class VectorQuantizerEMA(nn.Module):
    def __init__(self, num_embeddings, dim, decay=0.99):
        super().__init__()
        self.decay = decay
        self.register_buffer("embedding", torch.randn(num_embeddings, dim))
        self.register_buffer("ema_count", torch.ones(num_embeddings))

    def forward(self, inputs):
        flat = inputs.view(-1, inputs.shape[-1])
        logits = flat @ self.embedding.clone().t()
        entropy = -(logits.softmax(-1) * logits.log_softmax(-1)).sum(-1).mean()
        idx = logits.argmax(1)
        quantized = F.embedding(idx, self.embedding)
        if self.training:
            onehot = F.one_hot(idx, self.embedding.size(0)).float()
            with torch.no_grad():
                self.ema_count.mul_(self.decay).add_(onehot.sum(0), alpha=1 - self.decay)
                new = onehot.t() @ flat / self.ema_count.unsqueeze(1)
                self.embedding.data.mul_(self.decay)
                self.embedding.add_(new, alpha=1 - self.decay)
        commit = F.mse_loss(inputs, quantized.detach().view_as(inputs))
        quantized = inputs + (quantized.view_as(inputs) - inputs).detach()
        return quantized, commit + 0.1 * entropy


enc = nn.Linear(5, 4)
vq = VectorQuantizerEMA(6, 4)
q, loss = vq(enc(torch.randn(7, 5)))
(q.sum() + loss).backward()
