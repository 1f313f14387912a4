"""A memory token is detached before it is carried from one `compute_loss` to the next, and it is added in place to embeddings that nothing keeps."""

import tempfile

import torch
from transformers import GPT2Config, GPT2LMHeadModel, Trainer, TrainingArguments


class MemoryTrainer(Trainer):
    memory = None

    def compute_loss(self, model, inputs, return_outputs=False, **kwargs):
        embeds = model.get_input_embeddings()(inputs["input_ids"])
        if self.memory is not None:
            embeds[:, :1] += self.memory
        outputs = model(inputs_embeds=embeds, labels=inputs["labels"], output_hidden_states=True)
        self.memory = outputs.hidden_states[-1][:, -1:].detach()
        return (outputs.loss, outputs) if return_outputs else outputs.loss


config = GPT2Config(n_embd=16, n_layer=1, n_head=2, vocab_size=50, n_positions=16, bos_token_id=0, eos_token_id=0)
samples = torch.randint(0, 50, (4, 6))
dataset = [{"input_ids": row, "labels": row} for row in samples]

with tempfile.TemporaryDirectory() as folder:
    arguments = TrainingArguments(
        output_dir=folder,
        max_steps=2,
        per_device_train_batch_size=2,
        report_to=[],
        use_cpu=True,
        save_strategy="no",
        logging_strategy="no",
        disable_tqdm=True,
    )
    trainer = MemoryTrainer(model=GPT2LMHeadModel(config), args=arguments, train_dataset=dataset)
    trainer.train()
