"""A `compute_loss` takes labels out of the inputs, writes them in place and weighs the loss out of place: the Trainer's backward finds all as it was."""

import tempfile

import torch
import torch.nn.functional as F
from transformers import BertConfig, BertForSequenceClassification, Trainer, TrainingArguments


class FocalTrainer(Trainer):
    gamma = 2.0

    def compute_loss(self, model, inputs, return_outputs=False, num_items_in_batch=None):
        labels = inputs.pop("labels")
        labels.clamp_(max=2)
        outputs = model(**inputs)
        logits = outputs["logits"]
        logits -= logits.detach().max(dim=-1, keepdim=True).values
        probs = logits.softmax(dim=-1)
        nll = F.nll_loss(probs.log(), labels, reduction="none")
        weight = (1.0 - probs).gather(1, labels.unsqueeze(1)).squeeze(1) ** self.gamma
        loss = (weight * nll).mean()
        return (loss, outputs) if return_outputs else loss


config = BertConfig(
    hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=16, vocab_size=50, num_labels=3
)
dataset = [{"input_ids": torch.randint(0, 50, (6,)), "labels": i % 3} for i in range(8)]

with tempfile.TemporaryDirectory() as folder:
    trainer = FocalTrainer(
        model=BertForSequenceClassification(config),
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
    )
    trainer.train()
