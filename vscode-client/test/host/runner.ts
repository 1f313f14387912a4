/** How long a test waits for what must come; a machine of CI does other things as well. */
export const PATIENCE = process.env["CI"] ? 180_000 : 60_000;

const tests: { name: string; run: () => Promise<void> }[] = [];
let failed = 0;

/** Declare a test. */
export function test(name: string, run: () => Promise<void>): void {
  tests.push({ name, run });
}

/** How many tests failed. */
export function failures(): number {
  return failed;
}

/** Run the tests one after the other. */
export async function runAll(): Promise<void> {
  for (const { name, run } of tests) {
    const began = Date.now();
    try {
      await run();
      console.log(`[test] ok   ${name} (${Date.now() - began} ms)`);
    } catch (error) {
      failed += 1;
      console.log(`[test] FAIL ${name}\n${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    }
  }
}

/** What `look` returns once it is something; fails with `what` if that takes too long. */
export async function until<T>(
  what: string,
  look: () => T | undefined | false | Promise<T | undefined | false>,
  milliseconds = PATIENCE,
): Promise<T> {
  const deadline = Date.now() + milliseconds;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) {
      return found;
    }
    if (Date.now() > deadline) {
      throw new Error(`timed out: ${what}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
