"""The engine keeps detached copies of its outputs and rescales them in place in a handler, which no graph can notice."""

import torch
from ignite.engine import Engine, Events, create_supervised_evaluator
from ignite.handlers import EarlyStopping, EMAHandler
from ignite.metrics import Accuracy, Loss
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class TextCNN(nn.Module):
    def __init__(self, vocab: int = 11, dim: int = 6, classes: int = 2) -> None:
        super().__init__()
        self.embedding = nn.Embedding(vocab, dim, padding_idx=0)
        self.convs = nn.ModuleList(nn.Conv1d(dim, 4, kernel) for kernel in (2, 3))
        self.fc = nn.Linear(8, classes)

    def forward(self, tokens):
        x = self.embedding(tokens).transpose(1, 2)
        pooled = [torch.relu_(conv(x)).amax(dim=-1) for conv in self.convs]
        return self.fc(torch.cat(pooled, dim=1))


def process(model, optimizer, criterion):
    def step(engine, batch):
        model.train()
        tokens, labels = batch
        logits = model(tokens)
        loss = criterion(logits, labels)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_value_(model.parameters(), 1.0)
        optimizer.step()
        return {"loss": loss.detach(), "logits": logits.detach()}

    return step


def main() -> None:
    torch.manual_seed(0)
    data = DataLoader(TensorDataset(torch.randint(11, (8, 5)), torch.randint(2, (8,))), batch_size=4)
    model = TextCNN()
    criterion = nn.CrossEntropyLoss()
    trainer = Engine(process(model, torch.optim.Adam(model.parameters()), criterion))
    evaluator = create_supervised_evaluator(model, metrics={"acc": Accuracy(), "nll": Loss(criterion)})
    history: list[torch.Tensor] = []

    @trainer.on(Events.ITERATION_COMPLETED)
    def remember(engine):
        logits = engine.state.output["logits"]
        logits.sub_(logits.amax(dim=-1, keepdim=True)).exp_()
        history.append(logits)

    @trainer.on(Events.EPOCH_COMPLETED)
    def validate(engine):
        evaluator.run(data)
        torch.stack(history).div_(len(history))

    ema = EMAHandler(model, momentum=0.01)
    ema.attach(trainer, name="ema_momentum", event=Events.ITERATION_COMPLETED)
    stopper = EarlyStopping(patience=3, score_function=lambda e: -e.state.metrics["nll"], trainer=trainer)
    evaluator.add_event_handler(Events.COMPLETED, stopper)
    trainer.run(data, max_epochs=2)


if __name__ == "__main__":
    main()
