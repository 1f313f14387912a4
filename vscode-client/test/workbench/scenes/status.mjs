// The status item beside the language's name: what runs, in which versions.
export async function play(bench, { torch }) {
  const python = torch ? /Python 3\.\d+\.\d+, torch \d/ : /Python 3\.\d+\.\d+, no torch/;
  await bench.edit("clear.py", "import torch\n\n\ndef f(x):\n    return x + 1\n\n\ndef g(x):\n    return f(x).exp()\n");
  const clear = /2 functions analysed, nothing found/;
  const status = async () => {
    await bench.status(clear);
    await bench.status(/inplace-lsp \d+\.\d+\.\d+/, python, /Restart/);
  };
  await status();
  await bench.picture("status");
  await bench.inEveryLook(async (look) => {
    await status();
    await bench.picture(`status-${look}`);
  });
  await bench.page.keyboard.press("Escape");
}
