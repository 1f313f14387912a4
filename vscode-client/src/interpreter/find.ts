import { advice, candidates, type Candidate, type Offers } from "./choose";
import type { Python } from "./probe";

/** Tell whether a path is a fit interpreter; throws an error with words for people if not. */
export type Probe = (path: string) => Promise<Python>;

/** The first candidate that works. Throws an error that says what is wrong with the likeliest, and what to do. */
export async function find(offers: Offers, probe: Probe): Promise<Python> {
  let first: Error | undefined;
  for (const candidate of candidates(offers)) {
    try {
      return await probe(candidate.path);
    } catch (error) {
      first ??= explained(candidate, error);
    }
  }
  throw first ?? new Error("There is no Python interpreter to try.");
}

function explained(candidate: Candidate, error: unknown): Error {
  const reason = error instanceof Error ? error.message : String(error);
  return new Error(`${reason}. ${advice(candidate.source)}`);
}
