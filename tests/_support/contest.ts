/**
 * Many callers who all want the same thing from storage, of which there is one.
 *
 * @module
 */
import { spawn } from "node:child_process";
import process from "node:process";
import { fileURLToPath } from "node:url";
import type { CommitResult, CompleteAdapter } from "../../src/contract/adapter.ts";

/** What is contested: an email token, the token of a plan, a mark, to be the one who makes a person. */
export const PRIZES = ["token", "plan", "mark", "person"] as const;

/** A contest. */
export interface Contest {
  /** How often there is something to win. */
  readonly rounds: number;
  /** How many want it at once. */
  readonly callers: number;
}

/** How many won, by prize and round. */
export type Wins = Readonly<Record<typeof PRIZES[number], readonly number[]>>;

/** Where processes find the storage that they share. */
export interface Place {
  readonly kind: "sqlite" | "postgres" | "mysql";
  /** Path or URL. */
  readonly at: string;
}

const LATER = new Date(Date.UTC(2100, 0, 1));

/** Stores the tokens of all rounds. */
export async function prepare(adapter: CompleteAdapter, rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    for (const prize of ["token", "plan"]) {
      await adapter.createVerificationToken({ identifier: `${prize} ${round}`, token: "hash", expires: LATER });
    }
  }
}

/** Takes part, `callers` at once in every round. `who` tells processes apart. */
export async function contend(adapter: CompleteAdapter, { rounds, callers }: Contest, who = 0): Promise<Wins> {
  const wins: Record<typeof PRIZES[number], number[]> = { token: [], plan: [], mark: [], person: [] };
  for (const prize of PRIZES) {
    for (let round = 0; round < rounds; round += 1) {
      const all = Array.from({ length: callers }, (_, caller) => TRIES[prize](adapter, round, `${who}-${caller}`));
      wins[prize].push((await Promise.all(all)).filter(Boolean).length);
    }
  }
  return wins;
}

const TRIES: Readonly<Record<typeof PRIZES[number], Try>> = {
  token: async (adapter, round) =>
    await adapter.useVerificationToken({ identifier: `token ${round}`, token: "hash" }) !== null,
  plan: async (adapter, round) => {
    const consume = { identifier: `plan ${round}`, tokens: ["hash", "hash of an older secret"], now: new Date() };
    return isWin(await adapter.commit({ consume }), "consumed");
  },
  mark: async (adapter, round) => await adapter.once(`mark ${round}`, LATER),
  person: async (adapter, round, caller) => {
    const userId = `user ${round} ${caller}`;
    const result = await adapter.commit({
      createUser: { id: userId, email: `${userId}@example.com`, emailVerified: null },
      linkAccount: { userId, provider: "mock", providerAccountId: `person ${round}`, type: "oidc" },
      createSession: { sessionToken: `session ${round} ${caller}`, userId, expires: LATER },
    });
    return isWin(result, "conflict");
  },
};

type Try = (adapter: CompleteAdapter, round: number, caller: string) => Promise<boolean>;

function isWin(result: CommitResult, otherwise: CommitResult): boolean {
  if (result !== "done" && result !== otherwise) throw new Error(`expected done or ${otherwise}, got ${result}`);
  return result === "done";
}

/** Lets several processes contend for the same, from the same moment on, and adds up what they won. */
export async function contendInProcesses(place: Place, contest: Contest, processes: number): Promise<Wins> {
  const children = Array.from({ length: processes }, (_, who) => startProcess({ place, contest, who }));
  await Promise.all(children.map(({ ready }) => ready));
  for (const { go } of children) go();
  const all = await Promise.all(children.map(({ wins }) => wins));
  return winsOf((prize) => {
    return Array.from({ length: contest.rounds }, (_, round) => {
      return all.reduce((sum, wins) => sum + (wins[prize][round] ?? 0), 0);
    });
  });
}

function startProcess(task: unknown) {
  const script = fileURLToPath(new URL("./contestant.ts", import.meta.url));
  const command = "Deno" in globalThis ? ["run", "--no-check", "--allow-all", script] : [script];
  const child = spawn(process.execPath, [...command, JSON.stringify(task)], { stdio: ["pipe", "pipe", "inherit"] });
  let told = "";
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  const ready = new Promise<void>((resolve, reject) => {
    child.stdout.on("data", (text) => {
      told += text;
      if (told.startsWith(READY)) resolve();
    });
    ended.then(() => reject(new Error(`A process ended before it began: ${told}`)));
  });
  const wins = ended.then((code): Wins => {
    if (code !== 0) throw new Error(`A process failed: ${told}`);
    return JSON.parse(told.slice(READY.length));
  });
  return { ready, wins, go: () => child.stdin.end("go") };
}

/** What a process says when it waits for the others. */
export const READY = "ready\n";

function winsOf(each: (prize: typeof PRIZES[number]) => readonly number[]): Wins {
  return { token: each("token"), plan: each("plan"), mark: each("mark"), person: each("person") };
}

/** What a contest must come to: one winner in every round. */
export function oneEach(rounds: number): Wins {
  return winsOf(() => Array<number>(rounds).fill(1));
}
