"""All of the position embeddings of a trainable ViT are overwritten through `[:]` with grad mode on, which torch refuses for a leaf that requires grad."""

import math

import torch
from transformers import ViTConfig, ViTModel

config = ViTConfig(
    hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=16, image_size=8, patch_size=4
)
model = ViTModel(config, add_pooling_layer=False)


def sinusoid(length, width):
    position = torch.arange(length).unsqueeze(1)
    scale = torch.exp(torch.arange(0, width, 2) * (-math.log(10000.0) / width))
    table = torch.zeros(length, width)
    table[:, 0::2] = torch.sin(position * scale)
    table[:, 1::2] = torch.cos(position * scale)
    return table


table = model.embeddings.position_embeddings
table[:] = sinusoid(table.shape[1], config.hidden_size)  # error: IP201
