/** How SQLite finds the rows that each statement is about. */
import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { conformanceCases } from "../../../adapters/conformance.ts";
import { sqliteAdapter, type SqliteHandle } from "../../../adapters/sqlite.ts";
import { planned } from "./_reads.ts";

/** An open database that notes the statements it is given. */
function noting(said: Set<string>) {
  const database = new DatabaseSync(":memory:");
  const handle: SqliteHandle = {
    exec: (sql) => database.exec(sql),
    prepare: (sql) => {
      said.add(sql);
      return database.prepare(sql);
    },
  };
  return { database, handle };
}

test("no statement reads all rows of a table", async () => {
  const said = new Set<string>();
  const open = () => {
    const { database, handle } = noting(said);
    let clock = Date.UTC(2031, 0, 1);
    const now = { set: (milliseconds: number) => void (clock = milliseconds) };
    return { adapter: sqliteAdapter(handle, { now: () => clock }), now, close: () => database.close() };
  };
  for (const { run } of conformanceCases(open)) await run();
  const { database, handle } = noting(said);
  const adapter = sqliteAdapter(handle);
  // So many additions are swept after.
  for (let times = 0; times < 64; times++) await adapter.once(`key ${times}`, new Date());
  for (let times = 0; times < 64; times++) {
    await adapter.take([{ key: `bucket ${times}`, every: 1000, burst: 1 }], new Date());
  }
  const found = [...said].filter((sql) => /^(?:select|insert|update|delete|with) (?!.* pragma_)/.test(sql));
  assert.ok(found.length > 40, `${found.length} statements`);
  const swept = found.filter((sql) => sql.startsWith("delete ") && sql.includes(" limit "));
  assert.equal(swept.length, 5, "tables whose rows end are swept");
  const scans = found.flatMap((sql) => {
    const steps = database.prepare(`explain query plan ${sql}`).all() as { readonly detail: string }[];
    return steps.filter(({ detail }) => /^SCAN (?!CONSTANT|given|json_each)|TEMP B-TREE/.test(detail)).map((
      { detail },
    ) => `${detail}: ${sql}`);
  });
  assert.deepEqual(scans, []);
  database.close();
});

test("a page of 100 of 100,000 records reads 100, whether SQLite has statistics or not", async () => {
  const database = new DatabaseSync(":memory:");
  const { handle, reads } = planned(database);
  const adapter = sqliteAdapter(handle);
  await adapter.getRecord({ kind: "member", id: "none" });
  database.exec(
    `insert into authRecord (kind, id, "group", version, data)
      with recursive n (i) as (select 1 union all select i + 1 from n where i < 100000)
      select 'member', printf('%06d', i), 'g' || (i % 100), 1, '{}' from n`,
  );
  for (const after of ["", "050000"]) {
    if (after) database.exec("analyze");
    const adapter = sqliteAdapter(handle);
    assert.equal(
      await reads(async () => {
        const page = await adapter.listRecords({ kind: "member", group: "g7", after, limit: 100 });
        assert.equal(page.length, 100);
        assert.ok((page[0]?.id ?? "") > after);
      }),
      100,
    );
  }
  database.close();
});

test("a plan does not read again what it has locked", async () => {
  const said = new Set<string>();
  const { database, handle } = noting(said);
  const adapter = sqliteAdapter(handle);
  const email = "ada@example.com";
  await adapter.createUser({ id: "ada", email, emailVerified: null, ...{ role: "admin" } });
  const account = { userId: "ada", type: "oidc", provider: "idp", providerAccountId: "1" } as const;
  await adapter.linkAccount({ ...account, ...{ label: "home", level: 1 } });
  const user = { id: "ada", email, emailVerified: null, securityStamp: null };
  said.clear();
  const plan = {
    expect: { user, account: { ...account, email: null } },
    updateUser: { id: "ada", ...{ team: "x" } },
    updateAccount: { ...account, ...{ level: 2 } },
  };
  assert.equal(await adapter.commit(plan as never), "done");
  assert.deepEqual([...said].filter((sql) => sql.startsWith('select "extra"')), []);
  assert.deepEqual(await adapter.getAccount("1", "idp"), { ...account, label: "home", level: 2 });
  const stored = { id: "ada", name: null, email, emailVerified: null, image: null, role: "admin", team: "x" };
  assert.deepEqual(await adapter.getUser("ada"), stored);
  await adapter.createUser({ id: "bob", email: "bob@example.com", emailVerified: null, ...{ role: "guest" } });
  assert.equal(
    await adapter.commit({ expect: { user }, updateUser: { id: "bob", ...{ team: "y" } } } as never),
    "done",
  );
  const { role, team } = await adapter.getUser("bob") as { readonly role?: string; readonly team?: string };
  assert.deepEqual([role, team], ["guest", "y"], "another row is read");
  database.close();
});
