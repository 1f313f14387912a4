import torch

from heads import Classifier, Deep, Gate, Plain
from model import build_model


def raises_as_built():
    build_model(3, 2)(torch.randn(5, 3)).sum().backward()


def raises_with_a_gate_that_drops():
    Gate(3, drop=0.5)(torch.randn(5, 3)).sum().backward()


def raises_with_layers_that_drop():
    Deep([3, 4, 2], rate=0.5)(torch.randn(5, 3)).sum().backward()


def runs_without_rates():
    Classifier(3, 2)(torch.randn(5, 3)).sum().backward()
    Gate(3)(torch.randn(5, 3)).sum().backward()
    Deep([3, 4, 2])(torch.randn(5, 3)).sum().backward()


def runs_where_nothing_was_saved():
    Plain(3, 2, dropout=0.5)(torch.randn(5, 3)).sum().backward()


def runs_script():
    import script
