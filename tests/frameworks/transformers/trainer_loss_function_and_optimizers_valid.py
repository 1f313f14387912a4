"""A loss function and an optimizer pair are handed to the Trainer; the loss scales logits in place, which no op has kept, and a callback writes gradients before the step."""

import tempfile

import torch
import torch.nn.functional as F
from transformers import BertConfig, BertForTokenClassification, Trainer, TrainerCallback, TrainingArguments


class FreezeFirstRows(TrainerCallback):
    def on_pre_optimizer_step(self, args, state, control, model=None, **kwargs):
        model.get_input_embeddings().weight.grad[:5] = 0
        for parameter in model.parameters():
            if parameter.grad is not None:
                parameter.grad.nan_to_num_()


def token_loss(outputs, labels, num_items_in_batch=None):
    logits = outputs["logits"]
    logits /= 2.0
    loss = F.cross_entropy(logits.flatten(0, 1), labels.flatten(), reduction="none")
    loss *= (labels.flatten() != 0).float()
    return loss.mean()


config = BertConfig(
    hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=16, vocab_size=50, num_labels=3
)
model = BertForTokenClassification(config)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: 0.9**step)
dataset = [{"input_ids": torch.randint(0, 50, (6,)), "labels": torch.randint(0, 3, (6,))} for _ in range(4)]

with tempfile.TemporaryDirectory() as folder:
    trainer = Trainer(
        model=model,
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
        optimizers=(optimizer, scheduler),
        compute_loss_func=token_loss,
        callbacks=[FreezeFirstRows()],
    )
    trainer.train()
