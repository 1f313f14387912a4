"""The position embeddings are overwritten under no_grad and then trained, which torch allows."""

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
with torch.no_grad():
    table[:] = sinusoid(table.shape[1], config.hidden_size)

optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
features = model(torch.rand(2, 3, 8, 8)).last_hidden_state[:, 0]
features.square().mean().backward()
optimizer.step()
