/** Where torch's errors about writes in place stand in a text. */

/** Parts of torch's own messages, as the server's `verify/messages.py` has them. */
const WORDS = [
  "modified by an inplace operation",
  "leaf Variable that requires grad",
  "is a view and is being modified inplace",
  "is a view and its base or another view of its base has been modified inplace",
  "being modified inplace with grad mode enabled",
  "Inplace update to inference tensor",
  "Inference tensors cannot be saved for backward",
  "backward through the graph a second time",
  "more than one element of the written-to tensor",
  "input tensor and the written-to tensor",
];

export interface Place {
  readonly start: number;
  readonly length: number;
}

/** The words in a line by which it is known to be such an error. */
export function errorIn(line: string): Place | undefined {
  for (const words of WORDS) {
    const start = line.indexOf(words);
    if (start >= 0) {
      return { start, length: words.length };
    }
  }
  return undefined;
}
