"""The GRU's state of one batch feeds the next with its graph, which the trainer has walked and freed."""

import lightning as L
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class CharModel(L.LightningModule):
    def __init__(self, vocab=10, hidden=8):
        super().__init__()
        self.save_hyperparameters()
        self.embed = nn.Embedding(vocab, hidden)
        self.cell = nn.GRUCell(hidden, hidden)
        self.head = nn.Linear(hidden, vocab)
        self.state = None

    def on_train_epoch_start(self):
        self.state = None

    def training_step(self, batch, batch_idx):
        tokens, targets = batch
        state = self.state
        if state is None:
            state = torch.zeros(tokens.size(0), self.hparams.hidden, device=self.device)
        logits = []
        for t in range(tokens.size(1)):
            state = self.cell(self.embed(tokens[:, t]), state)
            logits.append(self.head(state))
        self.state = state
        loss = F.cross_entropy(torch.stack(logits, dim=1).flatten(0, 1), targets.flatten())
        self.log("train_loss", loss)
        return loss

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=0.1, momentum=0.9)


text = torch.randint(0, 10, (8, 5))
loader = DataLoader(TensorDataset(text, text.roll(-1, dims=1)), batch_size=4)
trainer = L.Trainer(
    max_steps=2,
    accelerator="cpu",
    logger=False,
    enable_checkpointing=False,
    enable_progress_bar=False,
    enable_model_summary=False,
)
trainer.fit(CharModel(), loader)  # error: IP103
