import { beforeEach, describe, expect, it, vi } from "vitest";
import { afterVerify } from "../../src/commands/verify";
import type { ClientSettings } from "../../src/settings";

const COPY = "Copy the pip Command";
const CHOOSE = "Choose Interpreter";
const PIP = "python -m pip install einops";

type Show = (words: string, ...buttons: string[]) => Promise<string | undefined>;

const { copied, known, run, show, status } = vi.hoisted(() => ({
  copied: vi.fn<(text: string) => Promise<void>>(),
  known: vi.fn<() => Promise<string[]>>(() => Promise.resolve([])),
  run: vi.fn<(command: string, ...given: string[]) => Promise<void>>(),
  show: vi.fn<Show>(),
  status: vi.fn<(words: string, milliseconds: number) => void>(),
}));
vi.mock("vscode", () => ({
  commands: { executeCommand: run, getCommands: known },
  env: { clipboard: { writeText: copied } },
  window: { setStatusBarMessage: status, showInformationMessage: show, showWarningMessage: show },
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

describe("a confirmed hazard", () => {
  const answer = { function: "f", message: "confirmed: line 3", shown: false, verdict: "confirmed", violations: [] };
  const open = vi.fn<() => Promise<void>>(() => Promise.resolve());

  beforeEach(() => {
    vi.clearAllMocks();
  });

  it("is said in the status bar beside the trace that opens", async () => {
    const settings = { showTraceAfterVerify: "hazards" } as ClientSettings;
    await afterVerify(["file:///model.py", 3], answer, settings, open);
    expect(open).toHaveBeenCalledOnce();
    expect(show).not.toHaveBeenCalled();
    expect(status.mock.calls[0]?.[0]).toContain("confirmed: line 3");
  });

  it("is said in a message where no trace opens", async () => {
    show.mockResolvedValueOnce(undefined);
    const settings = { showTraceAfterVerify: "never" } as ClientSettings;
    await afterVerify(["file:///model.py", 3], answer, settings, open);
    expect(open).not.toHaveBeenCalled();
    expect(show).toHaveBeenCalledOnce();
  });
});
