"""lightning."""

from lightning.fabric import Fabric
from lightning.pytorch import Callback, LightningDataModule, LightningModule, Trainer, seed_everything

DESCRIBES = "lightning 2.0 to 2.6"
