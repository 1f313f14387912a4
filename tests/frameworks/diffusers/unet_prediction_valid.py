"""The clean images are normalised in place before noise is added, and the preview is a copy of the prediction, so the loss keeps what it saw."""

import torch
import torch.nn.functional as F
from diffusers import DDPMScheduler, UNet2DModel

model = UNet2DModel(
    sample_size=8,
    in_channels=1,
    out_channels=1,
    layers_per_block=1,
    block_out_channels=(8,),
    norm_num_groups=4,
    down_block_types=("DownBlock2D",),
    up_block_types=("UpBlock2D",),
    add_attention=False,
)
scheduler = DDPMScheduler(num_train_timesteps=10)
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-4)

for _ in range(2):
    clean_images = torch.rand(2, 1, 8, 8)
    clean_images.mul_(2).sub_(1)
    noise = torch.randn(clean_images.shape)
    timesteps = torch.randint(0, scheduler.config.num_train_timesteps, (2,), dtype=torch.int64)
    noisy_images = scheduler.add_noise(clean_images, noise, timesteps)
    clean_images.zero_()

    noise_pred = model(noisy_images, timesteps).sample
    loss = F.mse_loss(noise_pred, noise)
    preview = noise_pred.detach().clone().mul_(0.5).add_(0.5)
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimizer.step()
    optimizer.zero_grad()
