"""timm.models: networks made by their name."""

from timm import create_model

DESCRIBES = "timm 1.0"
