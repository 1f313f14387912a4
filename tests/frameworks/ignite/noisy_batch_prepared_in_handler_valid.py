"""A handler rewrites the batch in place before the step sees it, so before any graph could keep it."""

import torch
import torch.nn.functional as F
from ignite.engine import Engine, Events
from torch import nn

encoder, decoder = nn.Conv1d(1, 4, 3, padding=1), nn.Conv1d(4, 1, 3, padding=1)
optimizer = torch.optim.Adam([*encoder.parameters(), *decoder.parameters()], lr=1e-2)


def train_step(engine, batch):
    encoder.train(), decoder.train()
    noisy, clean = batch["noisy"], batch["clean"]
    optimizer.zero_grad(set_to_none=True)
    hidden = F.relu_(encoder(noisy))
    loss = F.l1_loss(decoder(hidden), clean)
    loss.backward()
    optimizer.step()
    return {"loss": loss.detach()}


trainer = Engine(train_step)


@trainer.on(Events.GET_BATCH_COMPLETED)
def corrupt(engine):
    clean = engine.state.batch
    noisy = clean.clone()
    noisy.add_(torch.randn_like(noisy), alpha=0.1).clamp_(-1, 1)
    engine.state.batch = {"noisy": noisy, "clean": clean}


@trainer.on(Events.ITERATION_COMPLETED)
def smooth(engine):
    average = getattr(engine.state, "average", None)
    loss = engine.state.output["loss"]
    engine.state.average = loss if average is None else average.mul_(0.9).add_(loss, alpha=0.1)


trainer.run([torch.randn(2, 1, 8) for _ in range(2)], max_epochs=2)
