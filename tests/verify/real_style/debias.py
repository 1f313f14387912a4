import torch
import torch.nn.functional as F


def train(answerer, biased, critic, loader, args):
    step = torch.optim.Adamax(answerer.parameters(), lr=1e-3)
    biased_step = torch.optim.Adamax(biased.parameters(), lr=1e-3)
    critic_step = torch.optim.Adamax(critic.parameters(), lr=1e-3)
    for epoch in range(args.epochs):
        for image, question, answer in loader:
            predicted = answerer(image, question)
            shortcut = biased(image, question, noise=True)
            real, fake = critic(predicted), critic(shortcut)
            wrong = F.binary_cross_entropy_with_logits(shortcut, answer.sigmoid()) + real.mean()
            biased_step.zero_grad()
            wrong.backward(retain_graph=True)
            biased_step.step()  # confirmed, repaired: fake = critic(biased(image, question, noise=True))
            told = fake.mean() - real.mean()
            told.backward(retain_graph=True)
            critic_step.step()
            F.mse_loss(answerer(image, question), answer).backward()
            step.step()
    return answerer
