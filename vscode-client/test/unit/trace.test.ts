import { describe, expect, it } from "vitest";
import { verdictWords } from "../../src/commands/words";
import { isVerdict } from "../../src/protocol";
import { utf16 } from "../../src/trace/columns";
import { reveal } from "../../src/trace/messages";
import { newNonce, underPolicy } from "../../src/trace/page";

describe("the page", () => {
  const page = (nonce: string): string =>
    `<!doctype html><html><head lang="en"><style nonce="${nonce}"></style></head><body><script nonce="${nonce}">1</script></body></html>`;

  it("may run its own script and style, and load nothing", () => {
    const shown = underPolicy(page("n0"), "n0");
    const policy = /content="([^"]*)"/.exec(shown)?.[1];
    expect(policy).toBe("default-src 'none'; style-src 'nonce-n0'; script-src 'nonce-n0'; img-src data:");
    expect(shown.indexOf("Content-Security-Policy")).toBeLessThan(shown.indexOf("<style"));
  });

  it("is refused without the nonce, or without a head for the policy", () => {
    expect(() => underPolicy(page("other"), "n0")).toThrow("nonce");
    expect(() => underPolicy('<body nonce="n0">', "n0")).toThrow("no head");
  });

  it("gets another nonce each time", () => {
    expect(newNonce()).not.toBe(newNonce());
    expect(newNonce()).toMatch(/^[\w-]{24}$/);
  });
});

describe("the messages of the page", () => {
  it("reveal a place", () => {
    expect(reveal({ type: "reveal", file: "/f.py", row: 3, column: 4 })).toEqual({ file: "/f.py", row: 3, column: 4 });
    expect(reveal({ type: "reveal", file: "/f.py", row: 3 })?.column).toBe(0);
  });

  it.each([
    undefined,
    null,
    1,
    "reveal",
    {},
    { type: "run", file: "/f.py", row: 1 },
    { type: "reveal", file: 1, row: 1 },
    { type: "reveal", file: "/f", row: 0 },
    { type: "reveal", file: "/f", row: 1.5 },
  ])("are ignored if unknown: %j", (said) => {
    expect(reveal(said)).toBeUndefined();
  });
});

it("counts columns as VS Code does", () => {
  expect(utf16("x = 1", 4)).toBe(4);
  expect(utf16('"😀" + y', 6)).toBe(7);
  expect(utf16("short", 99)).toBe(5);
});

describe("verdicts", () => {
  it("are told apart from refusals", () => {
    expect(isVerdict({ function: "f", verdict: "confirmed" })).toBe(true);
    expect(isVerdict(null)).toBe(false);
    expect(isVerdict({ function: "f", verdict: "safe" })).toBe(false);
  });

  it("are put into words", () => {
    const confirmed = { function: "f", verdict: "confirmed", error: "one of the variables\nmore" } as const;
    expect(verdictWords(confirmed)).toEqual({ bad: true, text: "`f`: confirmed. one of the variables" });
    expect(verdictWords({ function: "f", verdict: "silent", reason: "" }).bad).toBe(true);
    expect(verdictWords({ function: "f", verdict: "not-reproduced" }).bad).toBe(false);
    expect(verdictWords({ function: "f", verdict: "inconclusive", reason: "no inputs" }).text).toContain("no inputs");
  });
});
