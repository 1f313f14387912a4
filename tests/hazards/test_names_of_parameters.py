"""By which name a finding tells a parameter: the one that the reader of its function knows."""

from __future__ import annotations

from inplace_lsp.engine import analyse_source

LIGHTNING = """\
import lightning
import torch
from torch import nn


class Gan(lightning.LightningModule):
    def __init__(self):
        super().__init__()
        self.automatic_optimization = False
        self.disc = nn.Sequential(nn.Linear(4, 1))

    def training_step(self, batch, batch_idx):
        loss = self.disc(batch.requires_grad_()).mean()
        self.optimizers().step()
        self.manual_backward(loss)

    def configure_optimizers(self):
        return torch.optim.SGD(self.disc.parameters(), lr=0.1)
"""
TRAINER = """\
import torch
from torch import nn


class Gan(nn.Module):
    def __init__(self):
        super().__init__()
        self.gen = nn.Linear(2, 4)
        self.disc = nn.Sequential(nn.Linear(4, 1))
        self.last = self.disc[0]

    def clamp(self):
        self.last.weight.clamp_(-1, 1)


class Trainer:
    def __init__(self):
        self.model = Gan()
        self.critic = self.model.disc

    def step(self, z):
        self.critic[0].weight.clamp_(-1, 1)
        self.model.gen.weight.clamp_(-1, 1)


Trainer().step(torch.rand(2))
"""


def test_a_trainer_of_a_library_gives_no_names() -> None:
    [finding] = analyse_source(LIGHTNING, "/program.py").findings
    assert "`self.disc.0.weight`" in finding.message


def test_the_shortest_name_of_a_trainer_of_the_program_is_told() -> None:
    told = {finding.span.row: finding.message for finding in analyse_source(TRAINER, "/program.py").findings}
    assert "`self.critic.0.weight`" in told[22]
    assert "`self.model.gen.weight`" in told[23]


def test_a_module_names_what_it_holds_twice_as_torch_does() -> None:
    told = {finding.span.row: finding.message for finding in analyse_source(TRAINER, "/program.py").findings}
    assert "`self.disc.0.weight`" in told[13]


ATTRIBUTE = """\
import torch


class Policy:
    def __init__(self, context):
        self.context = context

    def reset(self):
        self.context[:] = 0


def show(policy):
    current = policy.context
    print(current)


def main():
    start = torch.zeros(3, requires_grad=True)
    policy = Policy(start)
    show(policy)
    policy.reset()


main()
"""


def test_an_attribute_is_not_called_by_a_variable_of_another_function() -> None:
    [finding] = analyse_source(ATTRIBUTE, "/program.py").findings
    assert (finding.span.row, "writes `self.context`" in finding.message) == (9, True)
