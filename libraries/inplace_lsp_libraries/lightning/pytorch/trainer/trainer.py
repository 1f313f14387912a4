"""lightning.pytorch.trainer.trainer."""

from lightning.pytorch.trainer import Trainer

DESCRIBES = "lightning 2.0 to 2.6"
