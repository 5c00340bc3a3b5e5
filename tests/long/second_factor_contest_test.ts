/** Of many who use the same second proof at the same time one wins, in databases of their own. */
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import mysql from "mysql2/promise";
import pg from "pg";
import { mysqlAdapter } from "../../adapters/mysql.ts";
import { postgresAdapter } from "../../adapters/postgres.ts";
import type { CompleteAdapter } from "../../src/contract/adapter.ts";
import { useRecoveryCode } from "../../src/second_factor/recovery.ts";
import { useTotpCode } from "../../src/second_factor/totp_proof.ts";
import { findMariadb, skipsWithoutMariadb, startMariadb } from "../_support/mariadb.ts";
import { findPostgres, skipsWithoutPostgres, startPostgres } from "../_support/postgres.ts";
import { testRuntime } from "../_support/runtime.ts";
import { ADA, codeAt, enrol, openFactorSite, proofOf, resolvedFor } from "../_support/second_factor.ts";

const CALLERS = 64;

async function contest(adapter: CompleteAdapter): Promise<void> {
  const runtime = testRuntime({ now: Date.now() });
  const config = resolvedFor(adapter, runtime);
  const id = crypto.randomUUID();
  await adapter.createUser({ id, email: "bob@example.com", emailVerified: null });
  await enrol(config, id);
  const code = await codeAt(runtime);
  const totp = await Promise.all(Array.from({ length: CALLERS }, () => useTotpCode(config, id, code)));
  assert.equal(totp.filter(Boolean).length, 1);
  const typed = { number: "2", secret: "MNOPQRSTUVWX" };
  const recovery = await Promise.all(Array.from({ length: CALLERS }, () => useRecoveryCode(config, id, typed)));
  assert.equal(recovery.filter(Boolean).length, 1);
  await contestOfMail(adapter);
}

async function contestOfMail(adapter: CompleteAdapter): Promise<void> {
  const site = await openFactorSite({
    adapter,
    factor: { methods: ["email-code"] },
    session: { strategy: "database" },
  });
  await site.join(ADA);
  const ada = await site.begin(ADA);
  await ada.post("/auth/challenge", { method: "email-code" });
  const code = /^\d{6}/.exec(site.mails[0]?.subject ?? "")?.[0] ?? assert.fail();
  const copies = Array.from({ length: CALLERS }, () => {
    const copy = site.service.visitor();
    for (const [name, value] of ada.cookies) copy.cookies.set(name, value);
    return copy;
  });
  await Promise.all(copies.map((copy) => copy.post("/auth/challenge", { method: "email-code", code })));
  const proofs = await Promise.all(copies.map(proofOf));
  assert.equal(proofs.filter((proof) => proof?.level === 2).length, 1);
}

const bin = findPostgres();

describe("with PostgreSQL", { skip: skipsWithoutPostgres(bin, "The contest of second proofs on PostgreSQL") }, () => {
  test("a code of an application, a recovery code and a code that was sent are used once", async () => {
    const server = await startPostgres(bin);
    const pool = new pg.Pool({ connectionString: server.url, max: 8 });
    const adapter = postgresAdapter(pool);
    await adapter.migrate();
    await contest(adapter);
    await pool.end();
    await server.stop();
  });
});

const command = findMariadb();

describe("with MariaDB", { skip: skipsWithoutMariadb(command, "The contest of second proofs on MariaDB") }, () => {
  test("a code of an application, a recovery code and a code that was sent are used once", async () => {
    const server = await startMariadb(command);
    const pool = mysql.createPool({ uri: server.url, connectionLimit: 8 });
    const adapter = mysqlAdapter(pool);
    await adapter.migrate();
    await contest(adapter);
    await pool.end();
    await server.stop();
  });
});
