// Runs the analyser under Pyodide, beside the page. Each message asks for a method of `Playground`; its answer has the
// same number.
import { loadPyodide } from "./pyodide/pyodide.mjs";

const base = new URL(".", self.location.href).href;

async function start() {
  const [pyodide, archive] = await Promise.all([
    loadPyodide({ indexURL: `${base}pyodide/` }),
    fetch(`${base}analyser.zip`).then((answer) => answer.arrayBuffer()),
  ]);
  pyodide.unpackArchive(archive, "zip", { extractDir: "/analyser" });
  pyodide.runPython("import sys; sys.path.insert(0, '/analyser')");
  return pyodide.pyimport("playground").Playground();
}

const ready = start();
ready.then(
  () => postMessage({ ready: true }),
  (error) => postMessage({ failed: String(error) }),
);

self.onmessage = async ({ data: { number, method, argument } }) => {
  try {
    const playground = await ready;
    postMessage({ number, answer: playground[method](...[argument].flat()) });
  } catch (error) {
    postMessage({ number, error: lastLine(String(error)) });
  }
};

function lastLine(text) {
  return text.trim().split("\n").at(-1);
}
