"""The pooled token is a view of all tokens, so normalising the patch tokens in place spoils what the classifier
has kept."""

import timm
import torch
from torch import nn

torch.manual_seed(0)
encoder = timm.create_model(
    "vit_tiny_patch16_224",
    pretrained=False,
    img_size=16,
    patch_size=8,
    embed_dim=8,
    depth=1,
    num_heads=2,
    num_classes=3,
)
decoder = nn.Linear(8, 3 * 64)
optimizer = torch.optim.AdamW([*encoder.parameters(), *decoder.parameters()], lr=1e-3)

for _ in range(2):
    images, labels = torch.randn(2, 3, 16, 16), torch.tensor([0, 2])
    tokens = encoder.forward_features(images)
    logits = encoder.forward_head(tokens)
    patches = tokens[:, encoder.num_prefix_tokens :]
    patches /= patches.detach().norm(dim=-1, keepdim=True)  # error: IP101
    targets = images.unfold(2, 8, 8).unfold(3, 8, 8).permute(0, 2, 3, 1, 4, 5).reshape(2, 4, -1)
    loss = nn.functional.cross_entropy(logits, labels)
    loss += nn.functional.mse_loss(decoder(patches), targets)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
