import sys
import types

import torch


class Bank:
    def __init__(self):
        self.outputs = [torch.ones(3, requires_grad=True) * 2 for _ in range(2)]
        self.labels = [torch.ones(3) for _ in range(2)]


banks = types.ModuleType("banks")
banks.Bank = Bank
sys.modules["banks"] = banks

from squared import Squared


def raises_for_each():
    Squared().train_each()


def raises_for_the_first():
    Squared().train_first()


def raises_for_any():
    Squared().train_any()


def runs_for_labels():
    Squared().scale_each()
    Squared().scale_first()
