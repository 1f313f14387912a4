"""A callback clips the embedding weights in place when a step has ended, but grad mode is on there and torch refuses to have a trainable leaf written."""

import tempfile

import torch
from transformers import GPT2Config, GPT2LMHeadModel, Trainer, TrainerCallback, TrainingArguments


class ClampEmbeddings(TrainerCallback):
    def on_step_end(self, args, state, control, model=None, **kwargs):
        model.get_input_embeddings().weight.clamp_(-0.05, 0.05)  # error: IP201
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
            report_to=[],
            use_cpu=True,
            save_strategy="no",
            logging_strategy="no",
            disable_tqdm=True,
        ),
        train_dataset=dataset,
        callbacks=[ClampEmbeddings()],
    )
    trainer.train()
