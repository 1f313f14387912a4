"""lightning.fabric.fabric."""

from lightning.fabric import Fabric

DESCRIBES = "lightning 2.0 to 2.6"
