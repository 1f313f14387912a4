"""lightning.pytorch."""

from lightning.fabric import seed_everything
from lightning.pytorch.callbacks import Callback
from lightning.pytorch.core.datamodule import LightningDataModule
from lightning.pytorch.core.module import LightningModule
from lightning.pytorch.trainer import Trainer

DESCRIBES = "lightning 2.0 to 2.6"
