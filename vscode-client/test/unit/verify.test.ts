import { beforeEach, describe, expect, it, vi } from "vitest";
import { afterVerify } from "../../src/commands/verify";
import type { ClientSettings } from "../../src/settings";

const COPY = "Copy the pip Command";
const CHOOSE = "Choose Interpreter";
const PIP = "python -m pip install einops";

type Show = (words: string, ...buttons: string[]) => Promise<string | undefined>;

const { copied, known, run, show } = vi.hoisted(() => ({
  copied: vi.fn<(text: string) => Promise<void>>(),
  known: vi.fn<() => Promise<string[]>>(() => Promise.resolve([])),
  run: vi.fn<(command: string, ...given: string[]) => Promise<void>>(),
  show: vi.fn<Show>(),
}));
vi.mock("vscode", () => ({
  commands: { executeCommand: run, getCommands: known },
  env: { clipboard: { writeText: copied } },
  window: { showInformationMessage: show, showWarningMessage: show },
}));

/** Tell of a verdict for which a module is missing, and press a button. */
async function press(button: string | undefined): Promise<string[]> {
  show.mockResolvedValueOnce(button);
  const verdict = {
    function: "f",
    message: "`einops` is not installed",
    shown: false,
    verdict: "inconclusive",
    violations: [],
  };
  const answer = { ...verdict, install: PIP };
  const settings = { showTraceAfterVerify: "never" } as ClientSettings;
  await afterVerify(["file:///model.py", 3], answer, settings, () => Promise.resolve());
  await vi.waitFor(() => {
    expect(show).toHaveBeenCalledOnce();
  });
  await Promise.resolve();
  return show.mock.calls[0]?.slice(1) ?? [];
}

describe("a verdict that lacks a module", () => {
  beforeEach(() => {
    vi.clearAllMocks();
  });

  it("has buttons for the pip command and for another interpreter", async () => {
    expect(await press(undefined)).toEqual([COPY, CHOOSE, "Show Trace"]);
    expect(copied).not.toHaveBeenCalled();
    expect(run).not.toHaveBeenCalled();
  });

  it("copies the pip command", async () => {
    await press(COPY);
    expect(copied).toHaveBeenCalledExactlyOnceWith(PIP);
  });

  it("lets the Python extension choose an interpreter", async () => {
    known.mockResolvedValueOnce(["python.setInterpreter"]);
    await press(CHOOSE);
    await vi.waitFor(() => {
      expect(run).toHaveBeenCalledExactlyOnceWith("python.setInterpreter");
    });
  });

  it("shows the setting where the Python extension is missing", async () => {
    await press(CHOOSE);
    await vi.waitFor(() => {
      expect(run).toHaveBeenCalledExactlyOnceWith("workbench.action.openSettings", "inplace.interpreter");
    });
  });
});

it("a verdict that lacks nothing has no such buttons", async () => {
  vi.clearAllMocks();
  show.mockResolvedValueOnce(undefined);
  const answer = { function: "f", message: "ran through", shown: false, verdict: "not-reproduced", violations: [] };
  await afterVerify(["file:///model.py", 3], answer, { showTraceAfterVerify: "never" } as ClientSettings, () =>
    Promise.resolve(),
  );
  expect(show.mock.calls[0]?.slice(1)).toEqual(["Show Trace"]);
});
