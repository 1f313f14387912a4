"""Models of transformers that compare texts with images or sounds: a tower for each, whose results are multiplied.

No module of transformers is called so: `transformers` takes its models from here, by their names.
"""

import torch
from inplace_lsp.modelling import ignores, is_true
from torch import nn
from torch.nn import functional as F
from transformers._architectures import Model
from transformers.modeling_outputs import ModelOutput
from transformers.modeling_utils import PreTrainedModel

DESCRIBES = "transformers 4.40 to 5.23"

FAMILIES = ("CLIP", "ChineseCLIP", "AltCLIP", "Siglip", "Siglip2", "XCLIP", "Clap", "GroupViT", "VisionTextDualEncoder")


class VisionTower(Model):
    """The tower of the images."""

    family = "CLIPVision"


class _TwoTowers(PreTrainedModel):
    """Two base models, a projection for each, and the scale of their products."""

    @ignores("kwargs", because="options say nothing of graphs")
    def __init__(self, config, **kwargs):
        super().__init__(config)
        self.text_model = Model(config.text_config)
        self.vision_model = VisionTower(config.vision_config)
        width = config.projection_dim
        self.text_projection = nn.Linear(config.hidden_size, width, bias=False)
        self.visual_projection = nn.Linear(config.hidden_size, width, bias=False)
        self.logit_scale = nn.Parameter(torch.empty(()))

    def get_text_features(self, *args, **kwargs):
        """Project what the text tower gives."""
        return self.text_projection(self.text_model(*args, **kwargs)[0][:, 0])

    def get_image_features(self, *args, **kwargs):
        """Project what the image tower gives."""
        return self.visual_projection(self.vision_model(*args, **kwargs)[0][:, 0])

    @ignores("kwargs", because="masks say nothing of graphs")
    def forward(self, input_ids=None, pixel_values=None, return_loss=None, return_dict=True, **kwargs):
        """Multiply the normalised features of texts and images."""
        texts = self.get_text_features(input_ids)
        images = self.get_image_features(pixel_values)
        texts = texts / texts.norm(dim=-1, keepdim=True)
        images = images / images.norm(dim=-1, keepdim=True)
        products = torch.matmul(texts, images.t()) * self.logit_scale.exp()
        result = ModelOutput(
            loss=F.cross_entropy(products, torch.arange(2)) if is_true(return_loss) else None,
            logits_per_image=products.t(),
            logits_per_text=products,
            text_embeds=texts,
            image_embeds=images,
        )
        return result.to_tuple() if return_dict is False else result
