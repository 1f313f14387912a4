/** How long to wait before each new start of a server that keeps dying, in milliseconds. */
export const DELAYS: readonly number[] = [1_000, 2_000, 4_000, 8_000, 16_000];

/** A server that lived this long was well; its next death is the first of a new series. */
export const HEALTHY_AFTER = 60_000;

/** Counts the deaths of a server and says how long to wait after each. */
export class Backoff {
  #deaths = 0;

  /** The number of deaths in the present series. */
  get deaths(): number {
    return this.#deaths;
  }

  /** A server died after `lived` milliseconds. Returns the delay before the next start; undefined: give up. */
  next(lived: number): number | undefined {
    if (lived >= HEALTHY_AFTER) {
      this.#deaths = 0;
    }
    this.#deaths += 1;
    return DELAYS[this.#deaths - 1];
  }

  /** The user acted: whatever comes is a new series. */
  reset(): void {
    this.#deaths = 0;
  }
}
