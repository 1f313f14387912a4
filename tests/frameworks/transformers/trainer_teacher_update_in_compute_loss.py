"""compute_loss blends the student into a teacher that took part in the loss with gradients, before Trainer's backward."""

import copy
import tempfile

import torch
import torch.nn.functional as F
from torch.utils.data import Dataset
from transformers import BertConfig, BertForSequenceClassification, Trainer, TrainingArguments


class RandomText(Dataset):
    def __init__(self, size: int, vocab: int, length: int = 6) -> None:
        generator = torch.Generator().manual_seed(0)
        self.ids = torch.randint(5, vocab, (size, length), generator=generator)
        self.labels = torch.randint(2, (size,), generator=generator)

    def __len__(self):
        return len(self.ids)

    def __getitem__(self, i):
        return {"input_ids": self.ids[i], "attention_mask": torch.ones_like(self.ids[i]), "labels": self.labels[i]}


class MeanTeacherTrainer(Trainer):
    def __init__(self, *args, teacher_decay: float = 0.9, temperature: float = 2.0, **kwargs):
        super().__init__(*args, **kwargs)
        self.teacher = copy.deepcopy(self.model)
        self.teacher_decay = teacher_decay
        self.temperature = temperature

    @torch.no_grad()
    def _update_teacher(self, student):
        for t, s in zip(self.teacher.parameters(), student.parameters()):
            t.mul_(self.teacher_decay).add_(s, alpha=1 - self.teacher_decay)  # error: IP101

    def compute_loss(self, model, inputs, return_outputs=False, num_items_in_batch=None):
        outputs = model(**inputs)
        guide = self.teacher(**inputs)
        distill = F.kl_div(
            F.log_softmax(outputs.logits / self.temperature, dim=-1),
            F.softmax(guide.logits / self.temperature, dim=-1),
            reduction="batchmean",
        )
        loss = outputs.loss + distill * self.temperature**2
        if model.training:
            self._update_teacher(model)
        return (loss, outputs) if return_outputs else loss


def main() -> None:
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=20,
        hidden_size=8,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=8,
        max_position_embeddings=16,
    )
    with tempfile.TemporaryDirectory() as folder:
        args = TrainingArguments(
            output_dir=folder,
            per_device_train_batch_size=2,
            max_steps=2,
            use_cpu=True,
            save_strategy="no",
            logging_strategy="no",
            report_to=[],
            disable_tqdm=True,
        )
        trainer = MeanTeacherTrainer(BertForSequenceClassification(config), args, train_dataset=RandomText(4, 20))
        trainer.train()


if __name__ == "__main__":
    main()
