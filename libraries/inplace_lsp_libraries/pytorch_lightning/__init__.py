"""pytorch_lightning: the same as lightning.pytorch."""

from lightning.pytorch import Callback, LightningDataModule, LightningModule, Trainer, seed_everything

DESCRIBES = "pytorch_lightning 1.6 to 2.6"
