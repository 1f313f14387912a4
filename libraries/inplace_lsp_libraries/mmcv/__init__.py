"""mmcv 1.x: settings; what trains lies in `mmcv.runner`."""

from mmengine.config import Config, ConfigDict

DESCRIBES = "mmcv 1.3 to 1.7"
