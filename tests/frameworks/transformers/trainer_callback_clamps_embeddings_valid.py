"""A callback clamps the tied embeddings when an optimizer step has ended: all backwards of that step are over, and the next forward starts anew."""

import tempfile

import torch
from transformers import GPT2Config, GPT2LMHeadModel, Trainer, TrainerCallback, TrainingArguments


class ClampEmbeddings(TrainerCallback):
    def __init__(self, bound):
        self.bound = bound
        self.average = None

    def on_step_end(self, args, state, control, model=None, **kwargs):
        with torch.no_grad():
            weight = model.get_input_embeddings().weight
            weight.clamp_(-self.bound, self.bound)
            if self.average is None:
                self.average = weight.clone()
            self.average.lerp_(weight, 0.1)
        return control


config = GPT2Config(n_embd=16, n_layer=1, n_head=2, vocab_size=50, n_positions=16, bos_token_id=0, eos_token_id=0)
samples = torch.randint(0, 50, (8, 6))
dataset = [{"input_ids": row, "labels": row} for row in samples]

with tempfile.TemporaryDirectory() as folder:
    trainer = Trainer(
        model=GPT2LMHeadModel(config),
        args=TrainingArguments(
            output_dir=folder,
            max_steps=2,
            per_device_train_batch_size=2,
            gradient_accumulation_steps=2,
            report_to=[],
            use_cpu=True,
            save_strategy="no",
            logging_strategy="no",
            disable_tqdm=True,
        ),
        train_dataset=dataset,
        callbacks=[ClampEmbeddings(0.05)],
    )
    trainer.train()
