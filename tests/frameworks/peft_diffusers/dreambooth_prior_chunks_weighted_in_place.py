"""DreamBooth splits the prediction with chunk and rescales the prior half in place, which torch refuses for such views."""

import argparse

import torch
import torch.nn.functional as F
from diffusers import DDPMScheduler, UNet2DModel


def parse_args(argv=None):
    parser = argparse.ArgumentParser()
    parser.add_argument("--with_prior_preservation", action="store_true")
    parser.add_argument("--prior_loss_weight", type=float, default=1.0)
    parser.add_argument("--prior_scale", type=float, default=0.5)
    parser.add_argument("--learning_rate", type=float, default=5e-6)
    parser.add_argument("--max_train_steps", type=int, default=1)
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


def dreambooth_loss(model_pred, target, args):
    if not args.with_prior_preservation:
        return F.mse_loss(model_pred.float(), target.float())
    model_pred, model_pred_prior = torch.chunk(model_pred, 2, dim=0)
    target, target_prior = torch.chunk(target, 2, dim=0)
    model_pred_prior.mul_(args.prior_scale)  # error: IP203
    prior_loss = F.mse_loss(model_pred_prior, args.prior_scale * target_prior)
    return F.mse_loss(model_pred, target) + args.prior_loss_weight * prior_loss


def main(args) -> None:
    torch.manual_seed(0)
    unet = make_unet()
    noise_scheduler = DDPMScheduler(num_train_timesteps=20)
    optimizer = torch.optim.AdamW(unet.parameters(), lr=args.learning_rate)
    for _ in range(args.max_train_steps):
        latents = torch.randn(4, 1, 8, 8)
        noise = torch.randn_like(latents)
        timesteps = torch.randint(0, 20, (latents.shape[0],))
        noisy = noise_scheduler.add_noise(latents, noise, timesteps)
        model_pred = unet(noisy, timesteps).sample
        loss = dreambooth_loss(model_pred, noise, args)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(unet.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad(set_to_none=True)


if __name__ == "__main__":
    main(parse_args(["--with_prior_preservation"]))
