"""The actor's loss takes the advantage detached, so the critic may step before the actor's loss is walked."""

import lightning as L
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class ActorCritic(L.LightningModule):
    def __init__(self, obs_dim: int = 4, n_actions: int = 2):
        super().__init__()
        self.save_hyperparameters()
        self.automatic_optimization = False
        self.actor = nn.Sequential(nn.Linear(obs_dim, 8), nn.Tanh(), nn.Linear(8, n_actions))
        self.critic = nn.Sequential(nn.Linear(obs_dim, 8), nn.Tanh(), nn.Linear(8, 1))

    def training_step(self, batch, batch_idx):
        obs, returns = batch
        actor_opt, critic_opt = self.optimizers()
        actor_sch, critic_sch = self.lr_schedulers()
        dist = torch.distributions.Categorical(logits=self.actor(obs))
        action = dist.sample()
        advantage = returns - self.critic(obs).squeeze(-1)
        critic_loss = advantage.pow(2).mean()
        actor_loss = -(dist.log_prob(action) * advantage.detach()).mean() - 0.01 * dist.entropy().mean()

        critic_opt.zero_grad()
        self.manual_backward(critic_loss)
        critic_opt.step()

        actor_opt.zero_grad()
        self.manual_backward(actor_loss)
        actor_opt.step()
        if self.trainer.is_last_batch:
            actor_sch.step()
            critic_sch.step()

    def configure_optimizers(self):
        actor_opt = torch.optim.Adam(self.actor.parameters(), lr=3e-4)
        critic_opt = torch.optim.Adam(self.critic.parameters(), lr=1e-3)
        actor_sch = torch.optim.lr_scheduler.ExponentialLR(actor_opt, gamma=0.99)
        return (
            {"optimizer": actor_opt, "lr_scheduler": actor_sch},
            {"optimizer": critic_opt, "lr_scheduler": torch.optim.lr_scheduler.ExponentialLR(critic_opt, 0.99)},
        )


loader = DataLoader(TensorDataset(torch.randn(8, 4), torch.randn(8)), batch_size=4)
trainer = L.Trainer(
    max_epochs=1,
    accelerator="cpu",
    logger=False,
    enable_checkpointing=False,
    enable_progress_bar=False,
    enable_model_summary=False,
)
trainer.fit(ActorCritic(), loader)
