"""Within accumulate the prepared optimizer skips the steps between, and each batch walks its own loss and keeps only its number."""

import torch
import torch.nn.functional as F
from accelerate import Accelerator
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

accelerator = Accelerator(gradient_accumulation_steps=2)
model = nn.Sequential(nn.Linear(4, 16), nn.ReLU(inplace=True), nn.Dropout(0.1), nn.Linear(16, 3))
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
train_loader = DataLoader(TensorDataset(torch.randn(16, 4), torch.randint(0, 3, (16,))), batch_size=4)
scheduler = torch.optim.lr_scheduler.LinearLR(optimizer, total_iters=4)
model, optimizer, train_loader, scheduler = accelerator.prepare(model, optimizer, train_loader, scheduler)

for epoch in range(2):
    model.train()
    train_loss = 0.0
    for step, (inputs, labels) in enumerate(train_loader):
        with accelerator.accumulate(model):
            logits = model(inputs)
            loss = F.cross_entropy(logits, labels)
            avg_loss = accelerator.gather(loss.repeat(inputs.size(0))).mean()
            train_loss += avg_loss.item() / accelerator.gradient_accumulation_steps
            accelerator.backward(loss)
            if accelerator.sync_gradients:
                accelerator.clip_grad_norm_(model.parameters(), max_norm=1.0)
            optimizer.step()
            scheduler.step()
            optimizer.zero_grad()
    accelerator.print(f"epoch {epoch}: {train_loss:.4f}")
accelerator.end_training()
