"""The log-probabilities of padding are zeroed in place, though log_softmax has saved that whole tensor."""

from dataclasses import dataclass

import torch
from transformers import GPT2Config, GPT2LMHeadModel


@dataclass
class GRPOConfig:
    num_generations: int = 4
    beta: float = 0.04
    epsilon: float = 0.2
    learning_rate: float = 1e-4


def selective_log_softmax(logits, index, mask):
    logps = logits.log_softmax(dim=-1)
    logps[~mask] = 0.0  # error: IP101
    return logps.gather(dim=-1, index=index.unsqueeze(-1)).squeeze(-1)


class GRPO:
    def __init__(self, policy, reference, args: GRPOConfig) -> None:
        self.policy = policy
        self.reference = reference.eval()
        self.args = args
        self.optimizer = torch.optim.AdamW(policy.parameters(), lr=args.learning_rate)

    def _get_per_token_logps(self, model, ids, mask):
        logits = model(input_ids=ids, attention_mask=mask).logits[:, :-1, :]
        return selective_log_softmax(logits, ids[:, 1:], mask[:, 1:].bool())

    def advantages(self, rewards):
        grouped = rewards.view(-1, self.args.num_generations)
        mean, std = grouped.mean(dim=1, keepdim=True), grouped.std(dim=1, keepdim=True)
        return ((grouped - mean) / (std + 1e-4)).flatten()

    def step(self, ids, mask, rewards):
        advantages = self.advantages(rewards).unsqueeze(1)
        with torch.no_grad():
            ref_logps = self._get_per_token_logps(self.reference, ids, mask)
        logps = self._get_per_token_logps(self.policy, ids, mask)
        old_logps = logps.detach()
        ratio = torch.exp(logps - old_logps)
        clipped = ratio.clamp(1 - self.args.epsilon, 1 + self.args.epsilon)
        kl = torch.exp(ref_logps - logps) - (ref_logps - logps) - 1
        per_token = -torch.min(ratio * advantages, clipped * advantages) + self.args.beta * kl
        completion = mask[:, 1:]
        loss = ((per_token * completion).sum(dim=1) / completion.sum(dim=1)).mean()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss.item()


def main() -> None:
    torch.manual_seed(0)
    config = GPT2Config(vocab_size=16, n_positions=12, n_embd=8, n_layer=1, n_head=2, bos_token_id=0, eos_token_id=0)
    policy, reference = GPT2LMHeadModel(config), GPT2LMHeadModel(config)
    reference.load_state_dict(policy.state_dict())
    ids = torch.randint(1, 16, (4, 7))
    mask = torch.ones_like(ids)
    mask[::2, 5:] = 0
    GRPO(policy, reference, GRPOConfig()).step(ids, mask, rewards=torch.rand(4))


if __name__ == "__main__":
    main()
