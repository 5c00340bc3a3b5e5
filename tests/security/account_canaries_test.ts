/** Nothing that lets somebody in leaves storage by the account page: in its file, as JSON, on the page, in the log or in events. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Adapter } from "@x/auth";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { sqliteAdapter } from "@x/auth/adapters/sqlite";
import { secondFactor } from "../../src/second_factor.ts";
import { accountFunctions } from "../../src/service/account_actions.ts";
import {
  accountIdOf,
  AS_PAGE,
  enter,
  keptOf,
  KINDS,
  newPerson,
  openWorld,
  ORIGIN,
  passkeyIdOf,
  type Person,
  send,
  sendAct,
  subjectOf,
  type World,
} from "../_support/account_people.ts";
import { enrolAtOnce, prove } from "../_support/enrolling.ts";
import { leakIn } from "../_support/faults.ts";
import type { Visitor } from "../_support/visitors.ts";

/** What lies in storage and must not be read, by where it lies. */
type Canaries = Map<string, string>;

/** Puts into each row that is read what the library does not know: a column of the application, or one of a later version. */
function withColumns(adapter: Adapter, canaries: Canaries): Adapter {
  const rowOf = (name: string, row: unknown): unknown => {
    if (Array.isArray(row)) return row.map((each) => rowOf(name, each));
    if (typeof row !== "object" || row === null || row instanceof Date) return row;
    const canary = canaries.get(name) ?? `canary-${name}-${crypto.randomUUID()}`;
    canaries.set(name, canary);
    const { session, user } = row as { readonly session?: unknown; readonly user?: unknown };
    if (session && user) return { session: rowOf(name, session), user: rowOf(name, user) };
    return { ...row, taxNumber: canary };
  };
  const rows = [
    ...["getUser", "getUserByEmail", "getUserByAccount", "listAccountsByUserId", "listAuthenticatorsByUserId"],
    ...["getAuthenticator", "listSessionsByUserId", "getAccount", "getSessionAndUser"],
  ];
  return Object.fromEntries(
    Object.entries(adapter).map(([name, run]) => {
      const called = run as (...args: unknown[]) => unknown;
      return [name, rows.includes(name) ? async (...args: unknown[]) => rowOf(name, await called(...args)) : called];
    }),
  );
}

/** Everything in the records, accounts and rows of somebody that is no public fact. */
async function plant({ adapter, ...world }: World, { id, email }: Person, visitor: Visitor, canaries: Canaries) {
  for (const name of ["access_token", "refresh_token", "id_token", "session_state"]) {
    canaries.set(name, `canary-${name}-${crypto.randomUUID()}`);
  }
  await adapter.unlinkAccount?.({ provider: "other", providerAccountId: subjectOf(email) });
  await adapter.linkAccount?.({
    userId: id,
    type: "oauth",
    provider: "other",
    providerAccountId: subjectOf(email),
    access_token: canaries.get("access_token"),
    refresh_token: canaries.get("refresh_token"),
    id_token: canaries.get("id_token"),
    session_state: canaries.get("session_state"),
  });
  for (const kind of KINDS) {
    const canary = `canary-record-${kind}-${crypto.randomUUID()}`;
    canaries.set(`the record ${kind}`, canary);
    const owned = await adapter.listRecords?.({ kind, userId: id }) ?? [];
    if (kind === "deletion" || kind === "email-change") continue;
    if (owned.length === 0) {
      await adapter.putRecord?.({ kind, id: `canary ${kind}`, userId: id, version: 0, data: { secret: canary } });
    }
    for (const record of owned) await adapter.putRecord?.({ ...record, data: { ...record.data, later: canary } });
  }
  const { sessions, records, passkeys } = await keptOf({ ...world, adapter }, id);
  const put = (name: string, value: string) => void canaries.set(`${name} (${canaries.size})`, value);
  for (const { sessionToken } of sessions as { sessionToken: string }[]) put("a session", sessionToken);
  for (const { credentialPublicKey } of passkeys as { credentialPublicKey: string }[]) {
    put("a key", credentialPublicKey);
  }
  if (visitor.token) put("a session", visitor.token);
  for (const { kind, data } of records) {
    for (const [name, value] of Object.entries(data)) {
      // What its owner is shown, or what is no secret.
      if (typeof value === "string" && value.length > 8 && !SHOWN.has(name)) put(`${kind}.${name}`, value);
    }
  }
}

/** Members of records that are shown, or say nothing about how somebody gets in. */
const SHOWN: ReadonlySet<string> = new Set(["name", "browser", "system", "place", "aaguid", "email"]);

/** Everything that somebody may read. */
class Readings {
  readonly #all: [where: string, text: string][] = [];

  add(where: string, text: string): void {
    this.#all.push([where, text]);
  }

  async addResponse(where: string, response: Response): Promise<string> {
    const text = await response.text();
    const headers = [...response.headers].filter(([name]) => name !== "set-cookie");
    this.add(where, `${text}\n${JSON.stringify(headers)}`);
    return text;
  }

  assertClean(canaries: Canaries): void {
    assert.ok(this.#all.length > 10);
    for (const [where, text] of this.#all) {
      assert.ok(text.length > 1, where);
      const leak = leakIn(text, canaries.values());
      const name = [...canaries].find(([, value]) => value === leak)?.[0];
      assert.equal(name, undefined, `${where} shows ${name}`);
    }
  }
}

function textOf(value: unknown): string {
  return JSON.stringify(
    value,
    (_, each) => each instanceof Error ? { ...each, text: String(each), cause: each.cause } : each,
  ) ??
    "";
}

async function comeWithBoth(world: World, { email }: Person, visitor: Visitor): Promise<void> {
  await enter(visitor, email);
  await prove(world, visitor, await enrolAtOnce(world, visitor));
}

for (
  const [kind, make] of Object.entries({
    "memory": () => memoryAdapter(),
    "SQLite": () => sqliteAdapter(":memory:"),
  })
) {
  test(`no secret in storage is in the file, in JSON, on a page, in the log, in emails or in events: ${kind}`, async () => {
    const canaries: Canaries = new Map();
    const logged: unknown[] = [];
    const keep = (...args: unknown[]) => void logged.push(args);
    const told: unknown[] = [];
    const world = await openWorld({
      adapter: withColumns(make(), canaries),
      features: [secondFactor()],
      options: { place: () => "Rome" },
      logger: { error: keep, warn: keep, debug: keep },
      debug: true,
      events: { updateUser: (message) => void told.push(message), signOut: (message) => void told.push(message) },
    });
    const readings = new Readings();
    const person = await newPerson(world);
    const visitor = world.service.visitor();
    await comeWithBoth(world, person, visitor);
    await plant(world, person, visitor, canaries);

    const file = await readings.addResponse("the file", await sendAct(world, visitor, { act: "export" }, AS_PAGE));
    const json = await readings.addResponse("the file for a script", await sendAct(world, visitor, { act: "export" }));
    assert.deepEqual(Object.keys(JSON.parse(file)).toSorted(), Object.keys(JSON.parse(json)).toSorted());
    const { user, accounts, passkeys, sessions, secondFactors, password } = JSON.parse(file);
    assert.deepEqual(Object.keys(user), ["id", "name", "email", "emailVerified", "image"]);
    assert.deepEqual(membersOf(accounts), ["provider", "providerAccountId", "type"]);
    assert.deepEqual(membersOf(passkeys), ["createdAt", "credentialId", "isSynced", "name", "usedAt"]);
    assert.deepEqual(membersOf(sessions), ["browser", "expires", "place", "provider", "signedInAt", "system"]);
    assert.deepEqual(membersOf(secondFactors), ["createdAt", "name", "type", "usedAt"]);
    assert.deepEqual(Object.keys(password), ["setAt"]);

    const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const request = new Request(`${ORIGIN}/own`, { headers: { cookie, "sec-fetch-site": "same-origin" } });
    const functions = accountFunctions(world.service.engine);
    readings.add("auth.account.exportData()", textOf(await functions.exportData(request)));
    readings.add("auth.account.get()", textOf(await functions.get(request)));

    const ids = { unlink: await accountIdOf(world, visitor, "plain"), key: await passkeyIdOf(world, visitor) };
    const queries = ["", "?act=rename", "?act=changeEmail", `?act=unlink&id=${ids.unlink}`];
    for (
      const query of [...queries, `?act=removePasskey&id=${ids.key}`, `?act=renamePasskey&id=${ids.key}`, "?act=delete"]
    ) {
      for (const headers of [AS_PAGE, { "sec-fetch-site": "same-origin" }]) {
        const opened = await send(world, visitor, { method: "GET", path: `/auth/account${query}`, headers });
        assert.equal(opened.status, 200, query);
        await readings.addResponse(`the page ${query}`, opened);
      }
    }
    const acts: readonly Readonly<Record<string, string>>[] = [
      { act: "rename", name: "Ada Lovelace" },
      { act: "renamePasskey", id: ids.key, name: "My phone" },
      { act: "changeEmail", to: "ada@new.example" },
      { act: "unlink", id: ids.unlink },
      { act: "removePasskey", id: ids.key },
      { act: "endOthers" },
      { act: "unlink", id: "none" },
      { act: "delete", typed: "nothing" },
      { act: "delete", typed: person.email },
    ];
    for (const fields of acts) {
      await readings.addResponse(`the answer to ${fields.act}`, await sendAct(world, visitor, fields));
    }
    assert.equal(await world.adapter.getUser?.(person.id), null);

    readings.add("the emails", textOf(world.mails));
    readings.add("what features are told", textOf(world.events));
    readings.add("the log", textOf(logged));
    for (const all of [world.mails, world.events, logged, told]) assert.ok(all.length > 0);
    assert.ok(canaries.size > 15, `many canaries: ${[...canaries.keys()]}`);
    readings.assertClean(canaries);
    // A user in an event of the application is the row as storage gave it, with the application's own columns.
    for (const name of ["getUser", "getUserByEmail", "getUserByAccount", "getSessionAndUser"]) canaries.delete(name);
    assert.equal(leakIn(textOf(told), canaries.values()), undefined, "events");
  });
}

function membersOf(rows: readonly object[]): string[] {
  assert.ok(rows.length > 0);
  return [...new Set(rows.flatMap((row) => Object.keys(row)))].toSorted();
}
