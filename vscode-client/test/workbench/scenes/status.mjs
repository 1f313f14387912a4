// The status item beside the language's name: what runs, in which versions.
export async function play(bench, { torch }) {
  const python = torch ? /Python 3\.\d+\.\d+, torch \d/ : /Python 3\.\d+\.\d+, no torch/;
  await bench.status(/inplace-lsp \d+\.\d+\.\d+/, python, /Restart/);
  await bench.picture("status");
  await bench.page.keyboard.press("Escape");
}
