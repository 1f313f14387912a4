"""The temperature is clamped before backward; exp keeps its result, not the temperature itself, so the clamp spoils nothing."""

import lightning as L
import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class CLIP(nn.Module):
    def __init__(self, dim=4):
        super().__init__()
        self.image, self.text = nn.Linear(6, dim), nn.Linear(5, dim)
        self.logit_scale = nn.Parameter(torch.tensor(2.0))

    def forward(self, image, text):
        return F.normalize(self.image(image), dim=-1), F.normalize(self.text(text), dim=-1)


fabric = L.Fabric(accelerator="cpu", precision="bf16-mixed")
fabric.launch()
model, optimizer = fabric.setup(clip := CLIP(), torch.optim.AdamW(clip.parameters(), lr=1e-3))
loader = fabric.setup_dataloaders(DataLoader(TensorDataset(torch.randn(8, 6), torch.randn(8, 5)), batch_size=4))
for epoch in range(2):
    for image, text in loader:
        image_features, text_features = model(image, text)
        with fabric.autocast():
            logits = clip.logit_scale.exp() * image_features @ text_features.t()
        with torch.no_grad():
            clip.logit_scale.clamp_(0, 4.6052)
        labels = torch.arange(logits.size(0), device=fabric.device)
        loss = (F.cross_entropy(logits.float(), labels) + F.cross_entropy(logits.float().t(), labels)) / 2
        optimizer.zero_grad()
        fabric.backward(loss)
        fabric.clip_gradients(model, optimizer, clip_val=0.5)
        optimizer.step()
