import torch
import torch.nn as nn
from omegaconf import DictConfig
from einops import rearrange


class ConvModule(nn.Module):
    def __init__(self, cfg: DictConfig):
        super().__init__()
        self.d_model = cfg.d_model
        self.pointwise = nn.Conv1d(cfg.d_model, 2 * cfg.d_model, 1)
        self.depthwise = nn.Conv1d(
            cfg.d_model, cfg.d_model, cfg.kernel_size, padding=cfg.kernel_size // 2, groups=cfg.d_model
        )
        self.norm = nn.LayerNorm(cfg.d_model)

    def forward(self, x, lengths=None):
        h = rearrange(x, "b t d -> b d t")
        h = nn.functional.glu(self.pointwise(h), dim=1)
        h = torch.sigmoid(self.depthwise(h))
        h *= 2  # confirmed, repaired: h = h * 2
        return x + self.norm(rearrange(h, "b d t -> b t d"))[:, : x.size(1)]
