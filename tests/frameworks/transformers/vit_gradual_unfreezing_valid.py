"""A frozen ViT body feeds a trained classifier and is thawed between steps: no graph is alive when `requires_grad` changes."""

import torch
from transformers import ViTConfig, ViTForImageClassification

config = ViTConfig(
    hidden_size=16,
    num_hidden_layers=1,
    num_attention_heads=2,
    intermediate_size=16,
    image_size=8,
    patch_size=4,
    num_labels=3,
)
model = ViTForImageClassification(config)
for parameter in model.vit.parameters():
    parameter.requires_grad = False

optimizer = torch.optim.AdamW((p for p in model.parameters() if p.requires_grad), lr=1e-3)
for epoch in range(2):
    if epoch == 1:
        model.vit.requires_grad_(True)
        optimizer.add_param_group({"params": list(model.vit.parameters()), "lr": 1e-4})
    pixel_values = torch.rand(2, 3, 8, 8)
    pixel_values.sub_(0.5).div_(0.5)
    loss, logits = model(pixel_values=pixel_values, labels=torch.tensor([0, 2]), return_dict=False)
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
    logits.clamp_(-1, 1)
