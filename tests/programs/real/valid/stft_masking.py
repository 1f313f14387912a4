import torch
from torch import nn


class Denoiser(nn.Module):
    def __init__(self, n_fft=8):
        super().__init__()
        self.n_fft = n_fft
        self.register_buffer("window", torch.hann_window(n_fft))
        self.gru = nn.GRU(n_fft // 2 + 1, 4, batch_first=True)
        self.mask = nn.Linear(4, n_fft // 2 + 1)

    def forward(self, wav):
        spec = torch.stft(wav, self.n_fft, window=self.window, return_complex=True)
        mag = spec.abs()
        mag.clamp_(min=1e-5).log_()
        h, _ = self.gru(mag.transpose(1, 2))
        mask = self.mask(h).sigmoid_().transpose(1, 2)
        return torch.istft(spec * mask, self.n_fft, window=self.window, length=wav.shape[-1])


net = Denoiser()
opt = torch.optim.Adam(net.parameters())
for _ in range(2):
    clean = torch.randn(2, 32)
    noisy = clean.clone()
    noisy += 0.1 * torch.randn_like(noisy)
    est = net(noisy)
    loss = -10 * torch.log10((clean**2).sum(-1) / ((est - clean) ** 2).sum(-1)).mean()
    opt.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(net.parameters(), 5.0)
    opt.step()
