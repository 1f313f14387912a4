"""ignite.engine: engines for the training that everybody does."""

import torch
from ignite.engine.engine import Engine
from ignite.engine.events import EventEnum, Events, EventsList, RemovableEventHandle, State
from inplace_lsp.modelling import ignores

DESCRIBES = "ignite 0.5"


@ignores("device", "non_blocking", because="devices change no graph")
def _prepare_batch(batch, device=None, non_blocking=False):
    x, y = batch
    return x, y


@ignores("device", "non_blocking", because="devices change no graph")
def supervised_training_step(
    model, optimizer, loss_fn, device=None, non_blocking=False, prepare_batch=_prepare_batch,
    model_transform=lambda output: output, output_transform=lambda x, y, y_pred, loss: loss.item(),
    gradient_accumulation_steps=1, model_fn=lambda model, x: model(x),
):  # fmt: skip
    """Make the function of a training: zero the gradients, score, walk back, step."""
    return _make_training_step(
        model, optimizer, loss_fn, prepare_batch, model_transform, output_transform, gradient_accumulation_steps,
        model_fn, False,
    )  # fmt: skip


@ignores("device", "non_blocking", "scaler", because="devices and scales change no graph")
def supervised_training_step_amp(
    model, optimizer, loss_fn, device=None, non_blocking=False, prepare_batch=_prepare_batch,
    model_transform=lambda output: output, output_transform=lambda x, y, y_pred, loss: loss.item(), scaler=None,
    gradient_accumulation_steps=1, model_fn=lambda model, x: model(x),
):  # fmt: skip
    """Make the function of a training under autocast."""
    return _make_training_step(
        model, optimizer, loss_fn, prepare_batch, model_transform, output_transform, gradient_accumulation_steps,
        model_fn, True,
    )  # fmt: skip


@ignores("device", "non_blocking", "deterministic", "scaler", because="devices and scales change no graph")
def create_supervised_trainer(
    model, optimizer, loss_fn, device=None, non_blocking=False, prepare_batch=_prepare_batch,
    model_transform=lambda output: output, output_transform=lambda x, y, y_pred, loss: loss.item(),
    deterministic=False, amp_mode=None, scaler=False, gradient_accumulation_steps=1,
    model_fn=lambda model, x: model(x),
):  # fmt: skip
    """Make an engine that zeroes the gradients, scores, walks back and steps."""
    step = _make_training_step(
        model, optimizer, loss_fn, prepare_batch, model_transform, output_transform, gradient_accumulation_steps,
        model_fn, amp_mode == "amp",
    )  # fmt: skip
    return Engine(step)


def _make_training_step(
    model, optimizer, loss_fn, prepare_batch, model_transform, output_transform, accumulated, model_fn, mixed
):
    def update(engine, batch):
        if (engine.state.iteration - 1) % accumulated == 0:
            optimizer.zero_grad()
        model.train()
        x, y = prepare_batch(batch, device=None, non_blocking=False)
        with torch.autocast("cpu", enabled=mixed):
            y_pred = model_transform(model_fn(model, x))
            loss = loss_fn(y_pred, y)
        if accumulated != 1:
            loss = loss / accumulated
        loss.backward()
        if engine.state.iteration % accumulated == 0:
            optimizer.step()
        return output_transform(x, y, y_pred, loss * accumulated)

    return update


@ignores("device", "non_blocking", because="devices change no graph")
def supervised_evaluation_step(
    model, device=None, non_blocking=False, prepare_batch=_prepare_batch, model_transform=lambda output: output,
    output_transform=lambda x, y, y_pred: (y_pred, y), model_fn=lambda model, x: model(x),
):  # fmt: skip
    """Make the function of an evaluation, without gradients."""

    @ignores("engine", because="the batch is all that is evaluated")
    def evaluate(engine, batch):
        model.eval()
        with torch.no_grad():
            x, y = prepare_batch(batch, device=None, non_blocking=False)
            return output_transform(x, y, model_transform(model_fn(model, x)))

    return evaluate


@ignores("metrics", "amp_mode", because="nothing is walked of what an evaluation computes")
def create_supervised_evaluator(
    model, metrics=None, device=None, non_blocking=False, prepare_batch=_prepare_batch,
    model_transform=lambda output: output, output_transform=lambda x, y, y_pred: (y_pred, y), amp_mode=None,
    model_fn=lambda model, x: model(x),
):  # fmt: skip
    """Make an engine that evaluates, without gradients."""
    return Engine(
        supervised_evaluation_step(
            model, device, non_blocking, prepare_batch, model_transform, output_transform, model_fn
        )
    )
