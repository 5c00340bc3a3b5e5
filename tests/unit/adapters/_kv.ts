/** Key-value stores for tests: in a temporary file, or with faults. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";
import type { KvAtomic, KvLike } from "../../../adapters/deno_kv.ts";
import { chanceOf } from "../../_support/chance.ts";

/** Opens a store in its own file. */
export async function openFile(): Promise<{ readonly kv: Deno.Kv; readonly close: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "kv-"));
  const kv = await openKv(join(folder, "kv"));
  return {
    kv,
    close: async () => {
      kv.close();
      await rm(folder, { recursive: true });
    },
  };
}

// A variable, so that Deno does not download a package that it does not need.
const PACKAGE = "@deno/kv";

/** Opens a file with `Deno.openKv`, or with the package in other runtimes. */
async function openKv(path: string): Promise<Deno.Kv> {
  const { openKv } = "Deno" in globalThis ? Deno : await import(PACKAGE) as typeof Deno;
  return await openKv(path);
}

/** Opens a store that is closed when the test is over. */
export async function storeFor(t: TestContext): Promise<Deno.Kv> {
  const { kv, close } = await openFile();
  t.after(close);
  return kv;
}

/** What a commit does: succeed, conflict, fail, or succeed without a response. */
export type Fate = "right" | "refused" | "failed" | "lost";

/** A store whose commits each have a given outcome. */
export function fateful(kv: Deno.Kv, fateOf: (commit: number) => Fate): KvLike {
  let commits = 0;
  return {
    get: (key) => kv.get([...key]),
    list: ({ prefix, start }) => kv.list(start ? { prefix: [...prefix], start: [...start] } : { prefix: [...prefix] }),
    atomic: () => wrap(kv.atomic(), () => fateOf(commits++)),
  };
}

function wrap(atomic: Deno.AtomicOperation, nextFate: () => Fate): KvAtomic {
  const wrapped: KvAtomic = {
    check: (...checks) => {
      atomic.check(...checks);
      return wrapped;
    },
    set: (key, value, options) => {
      atomic.set(key, value, options);
      return wrapped;
    },
    delete: (key) => {
      atomic.delete(key);
      return wrapped;
    },
    commit: async () => {
      const fate = nextFate();
      if (fate === "refused") return { ok: false };
      if (fate === "failed") throw new TypeError("database is locked");
      const answer = await atomic.commit();
      if (fate === "lost") throw new Error("The connection broke after");
      return answer;
    },
  };
  return wrapped;
}

/** Random outcomes, the same for the same seed. */
export function randomFates(seed: number): () => Fate {
  const { next } = chanceOf(seed);
  return () => {
    const chance = next();
    if (chance < 0.15) return "refused";
    if (chance < 0.25) return "failed";
    return chance < 0.4 ? "lost" : "right";
  };
}
