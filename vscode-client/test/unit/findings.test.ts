import { describe, expect, it } from "vitest";
import { byFile, parse, summary } from "../../src/workspace/findings";

const finding = (filename: string): object => ({
  code: "IP101",
  severity: "error",
  message: "written",
  filename,
  location: { row: 1, column: 1 },
  end_location: { row: 1, column: 9 },
  url: "https://example.org",
  related: [],
});

describe("what check prints", () => {
  it("is read and sorted by file", () => {
    const found = parse(JSON.stringify([finding("/a.py"), finding("/b.py"), finding("/a.py")]));
    expect([...byFile(found)].map(([file, theirs]) => [file, theirs.length])).toEqual([
      ["/a.py", 2],
      ["/b.py", 1],
    ]);
  });

  it.each(["{}", '[{"code": "IP101"}]', "nonsense"])("is not believed: %s", (printed) => {
    expect(() => parse(printed)).toThrow();
  });

  it("is summed up", () => {
    const found = parse(JSON.stringify([finding("/a.py")]));
    expect(summary(found, [])).toBe("inplace-lsp: 1 finding in 1 file.");
    expect(summary([], [])).toBe("inplace-lsp found nothing in the workspace.");
    expect(summary(found, ["/x.py: cannot be read", "..."])).toContain("2 files could not be checked");
  });
});
