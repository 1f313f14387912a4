"""lightning_fabric: the same as lightning.fabric."""

from lightning.fabric import Fabric, seed_everything

DESCRIBES = "lightning_fabric 2.0 to 2.6"
