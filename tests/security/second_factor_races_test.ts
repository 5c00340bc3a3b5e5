/** Of many who use the same code at the same time one wins, whatever the storage. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Adapter } from "@x/auth";
import { denoKvAdapter } from "@x/auth/adapters/deno-kv";
import { memoryAdapter } from "@x/auth/adapters/memory";
import { sqliteAdapter } from "@x/auth/adapters/sqlite";
import { useRecoveryCode } from "../../src/second_factor/recovery.ts";
import { useTotpCode } from "../../src/second_factor/totp_proof.ts";
import { ADA, codeAt, enrol, openFactorSite, proofOf, resolvedFor } from "../_support/second_factor.ts";
import { testRuntime } from "../_support/runtime.ts";

const CALLERS = 64;

interface Opened {
  readonly adapter: Adapter;
  readonly close?: () => void;
}

const STORES: Readonly<Record<string, () => Promise<Opened>>> = {
  memory: () => Promise.resolve({ adapter: memoryAdapter() }),
  "slow memory": () => Promise.resolve({ adapter: slow(memoryAdapter()) }),
  SQLite: () => Promise.resolve({ adapter: sqliteAdapter(":memory:") }),
  "Deno KV": async () => {
    const kv = await Deno.openKv(":memory:");
    return { adapter: denoKvAdapter(kv), close: () => kv.close() };
  },
};

/** Answers after a while, each time another one. */
function slow(adapter: Adapter): Adapter {
  const wait = () => new Promise((resolve) => setTimeout(resolve, Math.random() * 5));
  return {
    ...adapter,
    listRecords: async (query) => {
      const found = await adapter.listRecords?.(query) ?? [];
      await wait();
      return found;
    },
    putRecord: async (record) => {
      await wait();
      return await adapter.putRecord?.(record) ?? null;
    },
  };
}

for (const [name, open] of Object.entries(STORES)) {
  test(`a code of an application and a recovery code are used once: ${name}`, async () => {
    const { adapter, close } = await open();
    try {
      const runtime = testRuntime({ now: Date.now() });
      const config = resolvedFor(adapter, runtime);
      const user = await adapter.createUser?.({ id: crypto.randomUUID(), email: "a@example.com", emailVerified: null });
      const userId = user?.id ?? assert.fail();
      await enrol(config, userId);
      const code = await codeAt(runtime);
      const totp = await Promise.all(Array.from({ length: CALLERS }, () => useTotpCode(config, userId, code)));
      assert.equal(totp.filter(Boolean).length, 1);
      assert.equal(await useTotpCode(config, userId, code), false);
      const typed = { number: "2", secret: "MNOPQRSTUVWX" };
      const recovery = await Promise.all(Array.from({ length: CALLERS }, () => useRecoveryCode(config, userId, typed)));
      assert.equal(recovery.filter(Boolean).length, 1);
      assert.equal(await useRecoveryCode(config, userId, typed), false);
    } finally {
      close?.();
    }
  });
}

for (const [name, open] of Object.entries(STORES)) {
  test(`a code that was sent is used once: ${name}`, async () => {
    const { adapter, close } = await open();
    try {
      const factor = { methods: ["email-code"] } as const;
      const site = await openFactorSite({ adapter, factor, session: { strategy: "database" } });
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
    } finally {
      close?.();
    }
  });
}

test("two different codes of a set are both right at the same time", async () => {
  const adapter = memoryAdapter();
  const config = resolvedFor(slow(adapter), testRuntime());
  const user = await adapter.createUser?.({ id: "ada", email: "ada@example.com", emailVerified: null });
  const userId = user?.id ?? assert.fail();
  await enrol(config, userId);
  const uses = [{ number: "1", secret: "ABCDEFGHIJKL" }, { number: "2", secret: "MNOPQRSTUVWX" }];
  const answers = await Promise.all(uses.map((typed) => useRecoveryCode(config, userId, typed)));
  assert.deepEqual(answers, [true, true]);
});
