"""The min-SNR weights multiply the unreduced loss in place, which is harmless: mse_loss keeps its inputs, not its result."""

import argparse

import torch
import torch.nn.functional as F
from diffusers import DDPMScheduler, UNet2DModel
from diffusers.optimization import get_scheduler
from diffusers.training_utils import EMAModel, compute_snr


def parse_args(argv=None):
    parser = argparse.ArgumentParser()
    parser.add_argument("--snr_gamma", type=float, default=5.0)
    parser.add_argument("--noise_offset", type=float, default=0.1)
    parser.add_argument("--learning_rate", type=float, default=1e-4)
    parser.add_argument("--use_ema", action="store_true")
    parser.add_argument("--max_train_steps", type=int, default=2)
    return parser.parse_args(argv)


def make_unet() -> UNet2DModel:
    return UNet2DModel(
        sample_size=8,
        in_channels=1,
        out_channels=1,
        layers_per_block=1,
        block_out_channels=(4, 8),
        norm_num_groups=2,
        down_block_types=("DownBlock2D", "DownBlock2D"),
        up_block_types=("UpBlock2D", "UpBlock2D"),
    )


def weighted_loss(model_pred, target, snr, gamma):
    weights = torch.stack([snr, gamma * torch.ones_like(snr)], dim=1).min(dim=1)[0]
    weights /= snr
    loss = F.mse_loss(model_pred.float(), target.float(), reduction="none")
    loss = loss.mean(dim=list(range(1, len(loss.shape))))
    loss *= weights
    return loss.mean()


def main(args) -> None:
    torch.manual_seed(0)
    unet = make_unet()
    ema = EMAModel(unet.parameters(), decay=0.999) if args.use_ema else None
    noise_scheduler = DDPMScheduler(num_train_timesteps=20)
    optimizer = torch.optim.AdamW(unet.parameters(), lr=args.learning_rate)
    lr_scheduler = get_scheduler("cosine", optimizer, num_warmup_steps=1, num_training_steps=args.max_train_steps)
    for _ in range(args.max_train_steps):
        latents = torch.randn(2, 1, 8, 8)
        noise = torch.randn_like(latents)
        noise += args.noise_offset * torch.randn(latents.shape[0], latents.shape[1], 1, 1)
        timesteps = torch.randint(0, 20, (latents.shape[0],)).long()
        noisy = noise_scheduler.add_noise(latents, noise, timesteps)
        model_pred = unet(noisy, timesteps, return_dict=False)[0]
        loss = weighted_loss(model_pred, noise, compute_snr(noise_scheduler, timesteps), args.snr_gamma)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(unet.parameters(), 1.0)
        optimizer.step()
        lr_scheduler.step()
        optimizer.zero_grad()
        if ema is not None:
            ema.step(unet.parameters())


if __name__ == "__main__":
    main(parse_args(["--use_ema"]))
