/** A site moves from Auth.js to this library and back while people use it, and nobody notices. */
import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import type { AuthConfig } from "@x/auth";
import { sqliteAdapter } from "@x/auth/adapters/sqlite";
import { FOREIGN_ADAPTERS, postgresFamily } from "../_support/foreign_adapters.ts";
import { type Method, MigrationBrowser } from "../_support/migration_browser.ts";
import { type SiteOptions, startMigrationSite } from "../_support/migration_site.ts";
import { findPostgres, skipsWithoutPostgres, startPostgres } from "../_support/postgres.ts";

type Strategy = SiteOptions["strategy"];

/** Storage, with an adapter for each of both servers. */
interface Shared {
  readonly adapters: SiteOptions["adapters"];
  close(): Promise<void> | void;
}

const STORAGE: Readonly<Record<string, () => Shared | Promise<Shared>>> = {
  "@auth/unstorage-adapter": () => foreign("@auth/unstorage-adapter"),
  "@auth/kysely-adapter on SQLite": () => foreign("@auth/kysely-adapter"),
  "@auth/pg-adapter": async () => {
    const server = await startPostgres(findPostgres());
    const opened = await postgresFamily(() => server.url).open();
    return {
      adapters: [opened.adapter, opened.adapter],
      async close() {
        await opened.close();
        await server.stop();
      },
    };
  },
  "@x/auth/adapters/sqlite": async () => {
    const folder = await mkdtemp(join(tmpdir(), "migration-"));
    const open = () => sqliteAdapter(join(folder, "auth.db"), { synchronous: "normal" });
    const [theirs, ours] = [open(), open()];
    return {
      adapters: [theirs, ours],
      async close() {
        theirs.close();
        ours.close();
        await rm(folder, { recursive: true });
      },
    };
  },
};

async function foreign(name: string): Promise<Shared> {
  const opened = await FOREIGN_ADAPTERS.find((each) => each.name === name)?.open();
  assert.ok(opened);
  return { adapters: [opened.adapter, opened.adapter], close: opened.close };
}

const UP = Array.from({ length: 11 }, (_, step) => step * 10);

/** Shares of this library in percent, from one server to the other and back. */
const MOVES: Readonly<Record<string, readonly number[]>> = {
  "from Auth.js and back": [...UP, ...UP.toReversed().slice(1)],
  "to Auth.js and back": [...UP.toReversed(), ...UP.slice(1)],
};

const METHODS: Readonly<Record<Strategy, readonly Method[]>> = {
  jwt: ["oauth", "email", "credentials", "oauth"],
  database: ["oauth", "email", "oauth"],
};

interface Move {
  readonly strategy: Strategy;
  readonly storage: string;
  readonly shares: readonly number[];
  readonly browsers: number;
  readonly flaw?: AuthConfig;
}

/** Moves the site, and lists what disturbed each browser first. */
async function move({ strategy, storage, shares, browsers, flaw }: Move) {
  const shared = await STORAGE[storage]?.();
  assert.ok(shared);
  const site = startMigrationSite({ strategy, adapters: shared.adapters, ...(flaw && { flaw }) });
  const people = Array.from({ length: browsers }, (_, n) => {
    const method = METHODS[strategy][n % METHODS[strategy].length] ?? "oauth";
    // A user of credentials is not stored with sealed sessions. What a session that Auth.js began may do is less for somebody
    // with a verified address, if it does not tell whether it is older than the verification: sealed ones do not, and stored
    // ones only where storage ends those from before.
    const links = method === "oauth" || (method === "email" && strategy === "database" && storage.startsWith("@x/"));
    return new MigrationBrowser(site, { name: `p${n}`, method, links });
  });
  const disturbed = new Map<MigrationBrowser, string>();
  try {
    for (const share of shares) {
      site.share = share;
      await inTurn(people, 16, async (person) => {
        if (disturbed.has(person)) return;
        await person.act().catch((error) => void disturbed.set(person, `at ${share} %: ${error.message}`));
      });
    }
  } finally {
    await site.close();
    await shared.close();
  }
  return { disturbed: [...disturbed.values()], answered: site.answered, errors: site.errors };
}

/** Does something for each member, for so many at once. */
async function inTurn<T>(members: readonly T[], width: number, run: (member: T) => Promise<void>): Promise<void> {
  const rest = [...members];
  const work = async () => {
    for (let next = rest.pop(); next; next = rest.pop()) await run(next);
  };
  await Promise.all(Array.from({ length: width }, work));
}

/** People who use the site meanwhile. */
const browsers = Number(process.env.BROWSERS || 200);

const withoutPostgres = skipsWithoutPostgres(findPostgres(), "the move between servers");

for (const [direction, shares] of Object.entries(MOVES)) {
  for (const strategy of ["jwt", "database"] as const) {
    for (const storage of Object.keys(STORAGE)) {
      const skip = storage === "@auth/pg-adapter" && withoutPostgres;
      test(
        `${browsers} browsers are not disturbed on the way ${direction}: ${strategy}, ${storage}`,
        { skip },
        async () => {
          const { disturbed, answered, errors } = await move({ strategy, storage, shares, browsers });
          assert.deepEqual(disturbed, []);
          assert.deepEqual(errors, []);
          // Both had as much to do as they were meant to.
          assert.ok(Math.min(answered.ours, answered.theirs) > 10 * browsers, JSON.stringify(answered));
        },
      );
    }
  }
}

const FLAWS: Readonly<Record<string, AuthConfig>> = {
  "another secret": { jwt: { secret: ["another secret, longer than 32 characters"] } },
  "another salt, the name of its cookie": { cookies: { sessionToken: { name: "another.session-token" } } },
};

for (const [name, flaw] of Object.entries(FLAWS)) {
  test(`browsers are disturbed if this library has ${name}`, async () => {
    const shares = [0, 50, 100];
    const { disturbed } = await move({
      strategy: "jwt",
      storage: "@auth/unstorage-adapter",
      shares,
      browsers: 12,
      flaw,
    });
    assert.ok(disturbed.length > 0);
  });
}
