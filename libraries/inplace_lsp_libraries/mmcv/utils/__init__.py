"""mmcv.utils of mmcv 1.x: settings and registries, which mmengine has taken over."""

from mmengine.config import Config, ConfigDict
from mmengine.registry import Registry, build_from_cfg

DESCRIBES = "mmcv 1.3 to 1.7"
