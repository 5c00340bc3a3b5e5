import { test } from "node:test";
import assert from "node:assert/strict";
import { memoryAdapter } from "../../../adapters/memory.ts";
import type { Adapter } from "../../../src/contract/adapter.ts";
import { sha256Hex } from "../../../src/crypto/digest.ts";
import { Verification } from "../../../src/kernel/errors.ts";
import type { RequestContext } from "../../../src/request/context.ts";
import {
  type AddressProof,
  checkProof,
  findRequested,
  hashToken,
  identifierOf,
  isRequested,
  issueProof,
  openProof,
  type ProofPurpose,
  rememberRequested,
  signInProof,
  withdrawProof,
} from "../../../src/sign_in/address_proof.ts";
import { guardAdapter, type Storage } from "../../../src/storage/guard.ts";
import { chanceOf } from "../../_support/chance.ts";
import { FOREIGN_ADAPTERS } from "../../_support/foreign_adapters.ts";
import { MEMORY, PLAIN_STORE, SQLITE } from "../../_support/stores.ts";
import { keep, SECRET, START, testContext } from "../_builders.ts";

// A purpose that is missing here does not compile.
const PURPOSES = Object.keys(
  {
    "sign-in": 0,
    reset: 0,
    confirm: 0,
    change: 0,
    invite: 0,
    delete: 0,
    "second-factor": 0,
    "factor-undo": 0,
    "email-new": 0,
    "email-former": 0,
    "account-undo": 0,
  } satisfies Record<ProofPurpose, 0>,
) as ProofPurpose[];

const ADDRESS = "ada@example.com";
const NOW = new Date(START);
const LATER = new Date(START + 60_000);

function memory(): Storage {
  return guardAdapter(memoryAdapter({ now: () => START }));
}

/** Uses a token as a flow does: in its plan where there is one. Tells whether it was good. */
async function use(storage: Storage, proof: AddressProof, now = NOW): Promise<boolean> {
  try {
    const consume = await checkProof(storage, proof, now);
    return !consume || await storage.commit?.({ consume }) === "done";
  } catch (error) {
    assert.ok(error instanceof Verification, String(error));
    return false;
  }
}

function issue(storage: Storage, purpose: ProofPurpose, subject = ADDRESS) {
  return issueProof(testContext().config, storage, { purpose, subject, expires: LATER });
}

const IDENTIFIERS: readonly (readonly [ProofPurpose, subject: string, identifier: string])[] = [
  ["sign-in", ADDRESS, ADDRESS],
  ["sign-in", "tel:+49123", "tel:+49123"],
  ["sign-in", "resetting:x", "resetting:x"],
  ["sign-in", "reset:x", "sign-in:reset:x"],
  ["sign-in", "sign-in:reset:x", "sign-in:sign-in:reset:x"],
  ["reset", ADDRESS, `reset:${ADDRESS}`],
  ["reset", "sign-in:x", "reset:sign-in:x"],
  ["invite", "organization:o1", "invite:organization:o1"],
  ["delete", "", "delete:"],
];

for (const [purpose, subject, identifier] of IDENTIFIERS) {
  test(`identifierOf() keeps ${purpose} of "${subject}" under "${identifier}"`, () => {
    assert.equal(identifierOf({ purpose, subject }), identifier);
  });
}

test("issueProof() stores the hash of a random token, and never the token", async () => {
  const adapter = memoryAdapter({ now: () => START });
  const { token, proof } = await issue(guardAdapter(adapter), "reset");
  assert.match(token, /^[0-9a-f]{64}$/);
  const hash = await sha256Hex(token + SECRET);
  assert.deepEqual(proof.hashes, [hash]);
  const identifier = `reset:${ADDRESS}`;
  assert.deepEqual(await adapter.getVerificationToken({ identifier, token: hash }), {
    identifier,
    token: hash,
    expires: LATER,
  });
});

/** What is made of these is hard to tell apart. */
const PARTS = [
  "",
  "a",
  ":",
  "@",
  '"',
  "\\",
  " ",
  ADDRESS,
  '"a:b"@example.com',
  "xn--bcher-kva.example",
  "bücher.example",
];

test("a token of one purpose and subject is good for no other, whatever the subjects look like", () => {
  const chance = chanceOf(1);
  const parts = [...PARTS, ...PURPOSES, ...PURPOSES.map((purpose) => `${purpose}:`)];
  const seen = new Map<string, string>();
  for (let round = 0; round < 2000; round++) {
    const subject = Array.from({ length: chance.below(4) }, () => chance.pick(parts)).join("");
    for (const purpose of PURPOSES) {
      const [key, identifier] = [JSON.stringify([purpose, subject]), identifierOf({ purpose, subject })];
      assert.equal(seen.get(identifier) ?? key, key);
      seen.set(identifier, key);
    }
  }
});

for (const kind of [MEMORY, PLAIN_STORE]) {
  test(`a token is accepted for its own purpose only (${kind.name})`, async (t) => {
    const store = kind.open(() => START);
    t.after(() => store.close());
    const storage = guardAdapter(store.adapter);
    const subjects = [ADDRESS, "x", "reset:x", "sign-in:x", "sign-in:reset:x", '"a:b"@example.com'];
    for (const purpose of PURPOSES) {
      for (const subject of subjects) {
        const { proof } = await issue(storage, purpose, subject);
        const others = PURPOSES.flatMap((other) => [
          ...subjects.map((about) => ({ ...proof, purpose: other, subject: about })),
          // What stands in its row, as the subject.
          { ...proof, purpose: other, subject: identifierOf(proof) },
        ]);
        for (const other of others) {
          const isItself = other.purpose === purpose && other.subject === subject;
          if (!isItself) assert.equal(await use(storage, other), false, JSON.stringify([purpose, subject, other]));
        }
        assert.equal(await use(storage, proof), true, JSON.stringify([purpose, subject]));
        assert.equal(await use(storage, proof), false, "used before");
      }
    }
  });
}

/** Storage of three kinds. One is an adapter of Auth.js, which has no `commit`. */
async function storages(): Promise<readonly (readonly [name: string, adapter: Adapter, close: () => unknown])[]> {
  const [kysely] = FOREIGN_ADAPTERS;
  const foreign = await kysely?.open() ?? assert.fail();
  const [first, second] = [MEMORY.open(() => START), SQLITE.open(() => START)];
  return [
    ["memory", first.adapter, first.close],
    ["SQLite", second.adapter, second.close],
    ["Kysely", foreign.adapter as Adapter, foreign.close],
  ];
}

test("of 64 who use a token at once, one wins", async () => {
  for (const [name, adapter, close] of await storages()) {
    const storage = guardAdapter(adapter);
    for (const purpose of ["sign-in", "reset"] as const) {
      const { proof } = await issue(storage, purpose);
      const answers = await Promise.all(Array.from({ length: 64 }, () => use(storage, proof)));
      assert.equal(answers.filter(Boolean).length, 1, `${name}, ${purpose}`);
    }
    await close();
  }
});

test("a token is good until the millisecond it expires, whatever storage does about it", async () => {
  for (const [name, adapter, close] of await storages()) {
    const storage = guardAdapter(adapter);
    for (const [late, isGood] of [[-1, true], [0, false], [1, false]] as const) {
      const { proof } = await issue(storage, "confirm");
      const now = new Date(LATER.getTime() + late);
      const answer = checkProof(storage, proof, now);
      if (isGood) await answer;
      else await assert.rejects(answer, Verification, `${name}, ${late}`);
    }
    await close();
  }
});

test("a token that was withdrawn is good no more", async () => {
  const storage = memory();
  const { proof } = await issue(storage, "reset");
  await withdrawProof(storage, proof);
  assert.equal(await use(storage, proof), false);
});

test("a token outlives a new secret, while the old one is there", async () => {
  const storage = memory();
  const { config } = testContext();
  const about = { purpose: "reset", subject: ADDRESS, expires: LATER } as const;
  const { token, proof } = await issueProof(config, storage, { ...about, secrets: ["old"] });
  assert.equal(await use(storage, { ...proof, hashes: await hashToken(["new"], token) }), false);
  assert.equal(await use(storage, { ...proof, hashes: await hashToken(["new", "old"], token) }), true);
});

/** A browser that requested a token, and the token. */
async function requested(purpose: ProofPurpose, subject = ADDRESS) {
  const storage = memory();
  const ctx = testContext();
  const { proof } = await issueProof(ctx.config, storage, { purpose, subject, expires: LATER });
  await rememberRequested(ctx, proof, { maxAge: 60 });
  const cookies = keep(ctx.cookies.close());
  const again = (carried = cookies): RequestContext => testContext(undefined, { config: ctx.config, cookies: carried });
  return { storage, proof, cookies, again };
}

test("openProof() lets a link act in the browser that requested it, and uses up nothing", async () => {
  for (const purpose of PURPOSES) {
    const { storage, proof, again } = await requested(purpose);
    assert.equal((await openProof(again(), storage, proof))?.hash, proof.hashes[0]);
    assert.equal(await use(storage, proof), true);
  }
});

test("openProof() lets no link act in another browser, and uses up nothing", async () => {
  for (const purpose of PURPOSES) {
    const { storage, proof, again } = await requested(purpose);
    assert.equal(await openProof(again({}), storage, proof), null);
    const other = await issue(storage, purpose);
    assert.equal(await openProof(again(), storage, other.proof), null, "it requested another link");
    assert.equal(await use(storage, proof), true);
  }
});

test("openProof() refuses a link that is used, where storage can tell", async () => {
  const { storage, proof, again } = await requested("reset");
  assert.equal(await use(storage, proof), true);
  await assert.rejects(openProof(again({}), storage, proof), Verification);
  const plain = guardAdapter(PLAIN_STORE.open(() => START).adapter);
  assert.equal(await openProof(again({}), plain, proof), null);
});

test("a browser that requested a token for one purpose has requested none for another", async () => {
  for (const purpose of PURPOSES) {
    const { proof, again } = await requested(purpose, "reset:x");
    for (const other of PURPOSES.filter((other) => other !== purpose)) {
      for (const subject of ["reset:x", "x", identifierOf(proof)]) {
        assert.equal(
          await findRequested(again(), { purpose: other, subject }),
          null,
          `${purpose}, ${other}, ${subject}`,
        );
      }
    }
    const found = await findRequested(again(), proof);
    assert.equal(found && isRequested(proof, found), true);
  }
});

test("a link of one email provider acts at no other", async () => {
  const storage = memory();
  const ctx = testContext();
  const about = { purpose: "sign-in", subject: ADDRESS, provider: "email", expires: LATER } as const;
  const { proof } = await issueProof(ctx.config, storage, about);
  await rememberRequested(ctx, proof, { maxAge: 60 });
  const again = testContext(undefined, { config: ctx.config, cookies: keep(ctx.cookies.close()) });
  const link = { identifier: ADDRESS, hashes: proof.hashes };
  assert.equal(await openProof(again, storage, signInProof({ ...link, provider: "other" })), null);
  assert.equal(await openProof(again, storage, signInProof(link)), null);
  assert.ok(await openProof(again, storage, signInProof({ ...link, provider: "email" })));
});
