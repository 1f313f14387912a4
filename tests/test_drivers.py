"""Classes that a framework calls in an order of its own: executed in that order, whether the training is in sight or
not."""

from __future__ import annotations

from inplace_lsp.engine import analyse_source
from support import answer, check, expected

GAN = """
import lightning as L
import torch
from torch import nn


class GAN(L.LightningModule):
    def __init__(self, size):
        super().__init__()
        self.save_hyperparameters()
        self.automatic_optimization = False
        self.g = nn.Linear(4, 4)
        self.d = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))

    def training_step(self, batch):
        opt_g, opt_d = self.optimizers()
        score = self.d(self.g(batch)).mean()
        self.manual_backward(score, retain_graph=True)
        opt_d.step()  # error: IP102
        self.manual_backward(-score)
        opt_g.step()

    def configure_optimizers(self):
        return [torch.optim.SGD(net.parameters(), lr=0.1) for net in (self.g, self.d)], []
"""

HOOK = """
import lightning as L
import torch
from torch import nn


class Clamped(L.LightningModule):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 1))
        self.last = None

    def training_step(self, batch, batch_idx):
        out = self.net(batch)
        self.last = out
        return {"loss": out.mean()}

    @torch.no_grad()
    def on_before_zero_grad(self, optimizer):
        self.net[2].weight.clamp_(0)  # error: IP101

    @torch.no_grad()
    def on_before_optimizer_step(self, optimizer):
        self.net[2].weight.clamp_(0)

    def configure_optimizers(self):
        return torch.optim.SGD(self.parameters(), lr=0.1)
"""

FACTORY = """
import torch
from ignite.engine import Engine, Events


def make_trainer(model, optimizer):
    def step(engine, batch):
        optimizer.zero_grad()
        return torch.sigmoid(model(batch))

    trainer = Engine(step)

    @trainer.on(Events.ITERATION_COMPLETED)
    def walk(engine):
        engine.state.output.mul_(2)  # error: IP101
        engine.state.output.mean().backward()
        optimizer.step()

    return trainer
"""

ONE_BATCH = HOOK.replace("self.last = out", "self.last, before = out, self.last").replace(
    'return {"loss": out.mean()}', 'return {"loss": out.mean() + (0 if before is None else before.mean())}'
)


def test_a_class_is_trained_where_nobody_does():
    check(GAN, observed=False)
    check(HOOK, observed=False)


def test_what_a_function_makes_for_its_caller_to_run_is_run():
    check(FACTORY, observed=False)


def test_what_the_framework_does_itself_is_found_at_the_return():
    found = analyse_source(ONE_BATCH, "/program.py").findings
    assert ("IP103", ONE_BATCH[: ONE_BATCH.index("return")].count("\n") + 1) in {(f.code, f.span.row) for f in found}


def test_a_training_in_sight_speaks_for_its_class():
    """One batch only, so that no second backward comes: the class on its own would have one."""
    text = f"{ONE_BATCH}\n\nL.Trainer(max_steps=1).fit(Clamped(), [torch.randn(2, 4)])\n"
    assert answer(analyse_source(text, "/program.py").findings) == expected(HOOK)


def test_classes_are_no_functions():
    assert analyse_source(GAN, "/program.py").functions == 3


def test_an_edit_of_a_class_is_seen():
    assert answer(analyse_source(HOOK, "/edited.py").findings) == expected(HOOK)
    mended = HOOK.replace("on_before_zero_grad", "on_after_backward")
    assert not analyse_source(mended, "/edited.py").findings
    assert answer(analyse_source(HOOK, "/edited.py").findings) == expected(HOOK)
    assert not analyse_source(HOOK.replace("L.LightningModule", "nn.Module"), "/edited.py").findings
