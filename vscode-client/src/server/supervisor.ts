import { Backoff } from "./backoff";
import type { State, Versions } from "./state";

/** A server that runs, or is about to. */
export interface Connection {
  /** Resolves when the server is ready for requests; rejects with a reason for people. */
  start(): Promise<Versions>;
  stop(): Promise<void>;
  /** Resolves with a reason for people once the server is gone without having been asked to go. */
  readonly lost: Promise<string>;
}

/** Why a server cannot be started at all, in words for people: no interpreter, or one that does not do. */
export class CannotStart extends Error {}

/** What the supervisor needs of the editor and the server. */
export interface Surroundings<C extends Connection> {
  /** Finds the interpreter and prepares a connection. Throws `CannotStart`. */
  connect(): Promise<C>;
  /** The state is new. */
  show(state: State): void;
  /** Tell the user, once in a series of deaths. */
  lost(reason: string): void;
  /** Tell the user that nothing more is tried. */
  gaveUp(reason: string): void;
  now(): number;
  /** Calls back after `milliseconds` unless the returned function was called before. */
  later(milliseconds: number, callback: () => void): () => void;
}

/**
 * Keeps one server running: starts it, starts it again when it dies, a little later each time, and gives up in the end.
 *
 * Every start has a number. What comes late from a start that is no longer the newest is dropped.
 */
export class Supervisor<C extends Connection> {
  #newest = 0;
  #connection: C | undefined;
  #cancelTimer: (() => void) | undefined;
  #stopping: Promise<void> = Promise.resolve();
  readonly #backoff = new Backoff();

  constructor(private readonly surroundings: Surroundings<C>) {}

  /** The server that runs or is about to. */
  get connection(): C | undefined {
    return this.#connection;
  }

  /** Start, or stop what runs and start anew, on the wish of the user or because a setting changed. */
  async restart(): Promise<void> {
    this.#backoff.reset();
    await this.#begin();
  }

  /** Stop for good, or until `restart`. */
  async stop(): Promise<void> {
    this.#newest += 1;
    await this.#end();
    this.surroundings.show({ kind: "stopped" });
  }

  async #begin(): Promise<void> {
    const number = (this.#newest += 1);
    await this.#end();
    if (number !== this.#newest) {
      return;
    }
    this.surroundings.show({ kind: "starting" });
    let connection: C;
    try {
      connection = await this.surroundings.connect();
    } catch (error) {
      this.#cannotStart(number, error);
      return;
    }
    if (number === this.#newest) {
      await this.#run(number, connection);
    }
  }

  async #run(number: number, connection: C): Promise<void> {
    this.#connection = connection;
    const began = this.surroundings.now();
    void connection.lost.then((reason) => {
      this.#died(number, reason, this.surroundings.now() - began);
    });
    try {
      const versions = await connection.start();
      if (number === this.#newest && this.#connection === connection) {
        this.surroundings.show({ kind: "running", versions });
      }
    } catch (error) {
      this.#died(number, message(error), this.surroundings.now() - began);
    }
  }

  #cannotStart(number: number, error: unknown): void {
    if (number !== this.#newest) {
      return;
    }
    this.surroundings.show({ kind: "failed", reason: message(error) });
    this.surroundings.gaveUp(message(error));
  }

  #died(number: number, reason: string, lived: number): void {
    if (number !== this.#newest || this.#connection === undefined) {
      return;
    }
    const gone = this.#connection;
    this.#connection = undefined;
    this.#stopping = gone.stop().catch(() => undefined);
    const delay = this.#backoff.next(lived);
    if (delay === undefined) {
      this.surroundings.show({ kind: "failed", reason: `${reason}; it was started ${this.#backoff.deaths} times` });
      this.surroundings.gaveUp(reason);
      return;
    }
    this.surroundings.show({ kind: "waiting", reason, seconds: delay / 1000 });
    if (this.#backoff.deaths === 1) {
      this.surroundings.lost(reason);
    }
    this.#cancelTimer = this.surroundings.later(delay, () => void this.#begin());
  }

  async #end(): Promise<void> {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    const connection = this.#connection;
    this.#connection = undefined;
    if (connection !== undefined) {
      this.#stopping = connection.stop().catch(() => undefined);
    }
    await this.#stopping;
  }
}

/** What an error says. */
export function message(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
