import { beforeEach, describe, expect, it } from "vitest";
import { deferred } from "../../src/deferred";
import { DELAYS, HEALTHY_AFTER } from "../../src/server/backoff";
import type { State, Versions } from "../../src/server/state";
import { CannotStart, type Connection, Supervisor } from "../../src/server/supervisor";

/** A server at the edge of the protocol: it answers when it is told to, and dies when it is told to. */
class Fake implements Connection {
  readonly answer = deferred<Versions | Error>();
  readonly death = deferred<string>();
  readonly lost = this.death.promise;
  stopped = 0;

  async start(): Promise<Versions> {
    const answer = await this.answer.promise;
    if (answer instanceof Error) {
      throw answer;
    }
    return answer;
  }

  stop(): Promise<void> {
    this.stopped += 1;
    return Promise.resolve();
  }

  ready(): void {
    this.answer.resolve({ server: "1.2.3" });
  }

  die(): void {
    this.death.resolve("killed by SIGKILL");
  }
}

let servers: Fake[];
let states: State[];
let told: string[];
let timers: { at: number; run: () => void }[];
let now: number;
let impossible: string | undefined;
let supervisor: Supervisor<Fake>;

beforeEach(() => {
  [servers, states, told, timers, now, impossible] = [[], [], [], [], 0, undefined];
  supervisor = new Supervisor({
    connect: () => {
      if (impossible !== undefined) {
        return Promise.reject(new CannotStart(impossible));
      }
      const server = new Fake();
      servers.push(server);
      return Promise.resolve(server);
    },
    show: (state) => states.push(state),
    lost: (reason) => told.push(`lost: ${reason}`),
    gaveUp: (reason) => told.push(`gave up: ${reason}`),
    now: () => now,
    later: (milliseconds, run) => {
      const timer = { at: now + milliseconds, run };
      timers.push(timer);
      return () => {
        timers = timers.filter((other) => other !== timer);
      };
    },
  });
});

async function settle(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

async function pass(milliseconds: number): Promise<void> {
  now += milliseconds;
  const due = timers.filter((timer) => timer.at <= now);
  timers = timers.filter((timer) => timer.at > now);
  due.forEach((timer) => {
    timer.run();
  });
  await settle();
}

async function started(): Promise<Fake> {
  void supervisor.restart();
  await settle();
  newest().ready();
  await settle();
  return newest();
}

function newest(): Fake {
  const server = servers.at(-1);
  if (server === undefined) {
    throw new Error("no server was started");
  }
  return server;
}

const kinds = (): string[] => states.map((state) => state.kind);

describe("starting", () => {
  it("runs once the server answers", async () => {
    await started();
    expect(kinds()).toEqual(["starting", "running"]);
    expect(told).toEqual([]);
  });

  it("says why it cannot start, and tries nothing more", async () => {
    impossible = "there is no Python";
    await supervisor.restart();
    expect(states.at(-1)).toEqual({ kind: "failed", reason: "there is no Python" });
    expect(told).toEqual(["gave up: there is no Python"]);
    expect(timers).toEqual([]);
  });

  it("recovers when the user acts", async () => {
    impossible = "there is no Python";
    await supervisor.restart();
    impossible = undefined;
    await started();
    expect(states.at(-1)?.kind).toBe("running");
  });

  it("takes a failed handshake for a death", async () => {
    void supervisor.restart();
    await settle();
    newest().answer.resolve(new Error("no handshake"));
    await settle();
    expect(states.at(-1)).toEqual({ kind: "waiting", reason: "no handshake", seconds: 1 });
    expect(newest().stopped).toBe(1);
  });
});

describe("a server that dies", () => {
  it("is started again a little later", async () => {
    (await started()).die();
    await settle();
    expect(states.at(-1)).toEqual({ kind: "waiting", reason: "killed by SIGKILL", seconds: 1 });
    await pass(999);
    expect(servers).toHaveLength(1);
    await pass(1);
    expect(servers).toHaveLength(2);
    newest().ready();
    await settle();
    expect(states.at(-1)?.kind).toBe("running");
  });

  it("is waited for longer each time, told of once, and given up in the end", async () => {
    await started();
    const waits: number[] = [];
    for (;;) {
      newest().die();
      await settle();
      const state = states.at(-1);
      if (state?.kind !== "waiting") {
        break;
      }
      waits.push(state.seconds * 1000);
      await pass(state.seconds * 1000);
      newest().ready();
      await settle();
    }
    expect(waits).toEqual(DELAYS);
    expect(states.at(-1)?.kind).toBe("failed");
    expect(told).toEqual(["lost: killed by SIGKILL", "gave up: killed by SIGKILL"]);
  });

  it("starts a new series after it was well for a while", async () => {
    (await started()).die();
    await settle();
    await pass(1000);
    newest().ready();
    await settle();
    now += HEALTHY_AFTER;
    newest().die();
    await settle();
    expect(states.at(-1)).toMatchObject({ kind: "waiting", seconds: 1 });
    expect(told).toHaveLength(2);
  });

  it("counts once, however its death shows itself", async () => {
    void supervisor.restart();
    await settle();
    newest().die();
    newest().answer.resolve(new Error("the connection is closed"));
    await settle();
    expect(kinds()).toEqual(["starting", "waiting"]);
    expect(timers).toHaveLength(1);
  });
});

describe("restarting", () => {
  it("stops the old server first and forgets it", async () => {
    const old = await started();
    await started();
    expect(old.stopped).toBe(1);
    old.die();
    await settle();
    expect(states.at(-1)?.kind).toBe("running");
    expect(told).toEqual([]);
  });

  it("does not wait for the back-off", async () => {
    (await started()).die();
    await settle();
    await started();
    expect(states.at(-1)?.kind).toBe("running");
    expect(timers).toEqual([]);
  });

  it("ends with one server when it is asked for twice at once", async () => {
    void supervisor.restart();
    void supervisor.restart();
    await settle();
    servers.forEach((server) => {
      server.ready();
    });
    await settle();
    expect(servers.filter((server) => server.stopped === 0)).toEqual([supervisor.connection]);
  });
});

it("stays stopped when it is stopped", async () => {
  const server = await started();
  await supervisor.stop();
  server.die();
  await settle();
  expect(server.stopped).toBe(1);
  expect(states.at(-1)).toEqual({ kind: "stopped" });
});
