import { describe, expect, it } from "vitest";
import { DebugListener, errorOfCell } from "../../src/commands/errorText";

const SAVED = "one of the variables needed for gradient computation has been modified by an inplace operation";

function item(mime: string, text: string): { mime: string; data: Uint8Array } {
  return { mime, data: new TextEncoder().encode(text) };
}

describe("the error of a cell", () => {
  it("is read from the cell's own traceback", () => {
    const error = { name: "RuntimeError", message: SAVED, stack: "Cell In[3], line 4\n\u001b[31mloss.backward()" };
    const text = errorOfCell([item("application/vnd.code.notebook.error", JSON.stringify(error))]);
    expect(text).toContain("Cell In[3], line 4");
    expect(text).toContain(`RuntimeError: ${SAVED}`);
  });

  it("is read from what a program has printed", () => {
    expect(errorOfCell([item("application/vnd.code.notebook.stderr", `RuntimeError: ${SAVED}\n`)])).toContain(SAVED);
  });

  it.each([
    ["another error", "application/vnd.code.notebook.error", JSON.stringify({ name: "KeyError", message: "x" })],
    ["a picture", "image/png", SAVED],
  ])("is not %s", (_, mime, text) => {
    expect(errorOfCell([item(mime, text)])).toBeUndefined();
  });
});

describe("a debugger", () => {
  function offers(...messages: unknown[]): string[] {
    const found: string[] = [];
    const listener = new DebugListener((text) => found.push(text));
    messages.forEach((message) => {
      listener.onDidSendMessage(message);
    });
    return found;
  }
  const output = (text: string): unknown => ({ type: "event", event: "output", body: { output: text } });
  const stopped = {
    type: "response",
    command: "exceptionInfo",
    body: { exceptionId: "RuntimeError", description: SAVED, details: { stackTrace: '  File "a.py", line 3' } },
  };

  it("prints an error, with the traceback before it", () => {
    const [text, ...others] = offers(
      output("Traceback:\n"),
      output('  File "a.py"\n'),
      output(`RuntimeError: ${SAVED}\n`),
    );
    expect(text).toBe(`Traceback:\n  File "a.py"\nRuntimeError: ${SAVED}\n`);
    expect(others).toEqual([]);
  });

  it("stops at an error, which is printed again when the program ends", () => {
    const found = offers(stopped, output(`RuntimeError: ${SAVED}\n`));
    expect(found).toHaveLength(1);
    expect(found[0]).toContain('  File "a.py", line 3');
  });

  it("says other things", () => {
    expect(
      offers(output("epoch 1\n"), { type: "event", event: "thread" }, { type: "response", command: "next" }),
    ).toEqual([]);
  });
});
