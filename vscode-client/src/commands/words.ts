import type { Verdict } from "../protocol";

/** A verdict in one sentence, and whether it is bad news. */
export function verdictWords(verdict: Verdict): { readonly bad: boolean; readonly text: string } {
  const name = `\`${verdict.function}\``;
  switch (verdict.verdict) {
    case "confirmed":
      return { bad: true, text: `${name}: confirmed. ${firstLine(verdict.error ?? verdict.reason)}` };
    case "silent":
      return {
        bad: true,
        text: `${name}: the gradient is wrong, and torch says nothing. ${firstLine(verdict.reason)}`,
      };
    case "not-reproduced":
      return { bad: false, text: `${name}: not reproduced with these inputs. ${firstLine(verdict.reason)}` };
    case "inconclusive":
      return { bad: false, text: `${name}: could not tell. ${firstLine(verdict.reason ?? verdict.error)}` };
  }
}

function firstLine(words: string | null | undefined): string {
  return (words ?? "").trim().split("\n")[0] ?? "";
}
