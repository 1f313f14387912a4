import { describe, expect, it } from "vitest";
import { isVerdict } from "../../src/protocol";
import { utf16 } from "../../src/trace/columns";
import { reveal } from "../../src/trace/messages";
import { newNonce, underPolicy } from "../../src/trace/page";
import { rowAt, rowOf } from "../../src/trace/places";

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
});

describe("places", () => {
  const file = (uri: string): string => uri.replace(/^\w+:/, "").replace(/#.*/, "");
  const rows = [
    { uri: "cell:/n.ipynb#a", line: 0, row: 1, event: 0 },
    { uri: "cell:/n.ipynb#b", line: 0, row: 3, event: 1 },
    { uri: "file:/helper.py", line: 2, row: 3, event: 2 },
  ];

  it("are found by what the page calls them", () => {
    const place = { row: 3, column: 0 };
    expect(rowAt(rows, { ...place, file: "/n.ipynb" }, file)?.uri).toBe("cell:/n.ipynb#b");
    expect(rowAt(rows, { ...place, file: "/helper.py" }, file)?.line).toBe(2);
    expect(rowAt(rows, { ...place, file: "/other.py" }, file)).toBeUndefined();
  });

  it("are found by what the editor calls them", () => {
    expect(rowOf(rows, (uri) => uri === "cell:/n.ipynb#b", 0)?.row).toBe(3);
    expect(rowOf(rows, (uri) => uri === "cell:/n.ipynb#b", 1)).toBeUndefined();
  });
});
