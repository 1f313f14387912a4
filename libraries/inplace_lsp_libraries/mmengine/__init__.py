"""mmengine: models that step their own optimizers, and parts built by name."""

from mmengine.config import Config, ConfigDict
from mmengine.registry import Registry

DESCRIBES = "mmengine 0.10"
