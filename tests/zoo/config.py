"""Settings and what they name."""

from __future__ import annotations

import importlib
from types import SimpleNamespace

from zoo.models import MODELS


def load_config(path: str = "base.yaml") -> SimpleNamespace:
    """The settings: of each network the class and its arguments."""
    return SimpleNamespace(
        **{
            name: SimpleNamespace(target=f"{made.__module__}.{made.__name__}", kwargs={"act": "relu"})
            for name, made in MODELS.items()
        }
    )


def instantiate(settings: SimpleNamespace):
    """The object that settings describe."""
    module, _, name = settings.target.rpartition(".")
    return getattr(importlib.import_module(module), name)(**settings.kwargs)
