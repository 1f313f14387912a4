import types

import torch

import by_argument
import by_settings


def raises_by_argument():
    by_argument.train("gated")


def runs_by_argument():
    by_argument.train("plain")
    by_argument.train_any("doubled")


def runs_with_care():
    by_argument.train_with_care("gated")
    by_argument.train_with_care("doubled")


def raises_trainer():
    by_settings.Trainer(types.SimpleNamespace(network="gated", width=3)).step(torch.randn(2, 4))


def runs_plain_trainer():
    by_settings.PlainTrainer(types.SimpleNamespace(network="plain", width=3)).step(torch.randn(2, 4))


def raises_run():
    by_settings.run('{"network": "gated", "width": 3}')
